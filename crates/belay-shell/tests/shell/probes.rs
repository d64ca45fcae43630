//! Scripts that hide a harmless command in every corner of the syntax; what bash runs must be in the tree.

use crate::{oracle, walk::Seen};
use belay_shell::{Dialect, parse};

/// Places where a command can hide; `@` stands for it.
const CORNERS: &[&str] = &[
    "@",
    "( @ )",
    "(@)",
    "{ @; }",
    "{ @\n}",
    "! @",
    "! ! @",
    "time @",
    "time -p @",
    "time -- @",
    "time -p -- @",
    "! time ! @",
    "if @; then :; fi",
    "if :; then @; fi",
    "if false; then :; elif @; then :; fi",
    "if false; then :; elif :; then @; fi",
    "if false; then :; else @; fi",
    "while @; do break; done",
    "while :; do @; break; done",
    "until @; do break; done",
    "until false; do @; break; done",
    "for i in 1; do @; done",
    "for i in $(@); do :; done",
    "for i in 1\ndo\n@\ndone",
    "for i in 1; { @; }",
    "set -- 1; for i do @; done",
    "set -- 1; for i; do @; done",
    "for ((i=0;i<1;i++)); do @; done",
    "for ((i=0;i<1;i++)) { @; }",
    "for ((i=$(@);0;)); do :; done",
    "for ((;$(@;echo 0);)); do :; done",
    "for ((i=0;i<1;i+=1+$(@))); do :; done",
    "select i in 1; do @; break; done <<<1",
    "case x in x) @;; esac",
    "case x in (x) @;; esac",
    "case x in (x|y) @ ;; esac",
    "case x in x) @\nesac",
    "case $(@) in x) ;; esac",
    "case x in $(@)) ;; esac",
    "case x in y|$(@)) ;; esac",
    "case x in x) : ;& y) @;; esac",
    "case x in x) : ;;& x) @;; esac",
    "case x in @(x)) @;; esac",
    "case x in\n\n#c\nx)\n@\n;;\nesac",
    "f() { @; }; f",
    "f() ( @ ); f",
    "f()\n{ @; }; f",
    "f () { @; }; f",
    "function f { @; }; f",
    "function f() { @; }; f",
    "function f\n{ @; }; f",
    "f() if :; then @; fi; f",
    "f() while @; do break; done; f",
    "f() for i in 1; do @; done; f",
    "f() case x in x) @;; esac; f",
    "f() [[ $(@) ]]; f",
    "f() (( $(@) )); f",
    "f() { :; } > $(@; echo out); f",
    "f() { :; } <<< $(@); f",
    "f-g.h() { @; }; f-g.h",
    "coproc @",
    "coproc { @; }",
    "coproc X { @; }",
    "coproc X ( @ )",
    "coproc X if :; then @; fi",
    ": && @",
    "false || @",
    ": | @",
    ": |& @",
    ":|@",
    ": & @",
    ": ; @",
    ":\n@",
    "@ &",
    "@ | :",
    ": &&\n\n@",
    ": |\n#c\n@",
    "[[ $(@) ]]",
    "[[ -n $(@) ]]",
    "[[ -n x && $(@) ]]",
    "[[ ! $(@) ]]",
    "[[ ( $(@) ) ]]",
    "[[ x == $(@) ]]",
    "[[ x =~ $(@) ]]",
    "[[ x =~ (a|$(@)) ]]",
    "[[ $(@) < a ]]",
    "[[ 1 -eq $(@)1 ]]",
    "[[ -v a[$(@)] ]]",
    "[[ x &&\n$(@) ]]",
    "[[ x ]] && @",
    "[[ a<b ]]; @",
    "[[ a =~ b ]]; @",
    "[[ a =~ (b c) ]]; @",
    "[[ a == (b) ]]; @",
    "(( $(@) 1 ))",
    "(( 1 + $(@) ))",
    "(( a[$(@)] ))",
    "(( ${x:-$(@)} ))",
    "(( x = `@` ))",
    "(( 'a[$(@)]' ))",
    "((1)); @",
    "((1)) && @",
    "((1))\n@",
    "( (@) )",
    "((@) )",
    "( ( (@) ) )",
    "((@);(@))",
    "(((@)) )",
    ": $(@)",
    ": \"$(@)\"",
    ": `@`",
    ": \"`@`\"",
    ": $( (@) )",
    ": $((@) )",
    ": $(\n@\n)",
    ": $(# )\n@)",
    ": $(:;@)",
    ": $(case x in x) @;; esac)",
    ": $(case x in (x) @;; esac)",
    ": $(if :; then @; fi)",
    ": $(for i in 1; do @; done)",
    ": $(f() { @; }; f)",
    ": $(: <<E\n)\nE\n@)",
    ": $(: <<'E'\n)\"'`\nE\n@)",
    ": $(: <<E\nx\nE\n@\n)",
    ": $(@ <<E\nx\nE\n)",
    ": $(@ <<E\nx\nE)",
    ": $(: <<E\nx\nE)\n@",
    ": $(: <<E\nx\nE\n)\n@",
    ": $(: <<E)\n@",
    ": $(: \"$(@)\")",
    ": \"$(: \"$(@)\")\"",
    ": \"$(: ')'; @)\"",
    ": \"$(: \")\"; @)\"",
    ": \"a'$(@)'b\"",
    ": $\"$(@)\"",
    ": $'a\\'b'; @",
    ": $'\\\\'; @",
    ": '\\'; @",
    ": \"\\\"\"; @",
    ": \"\\\\\"; @",
    ": \"$'\"; @; : \"'\"",
    ": \\'; @; : \\'",
    ": \\\"; @; : \\\"",
    ": `: \\`@\\``",
    ": `: \\`: \\\\\\`@\\\\\\`\\``",
    ": \"`: \\\"a\\\"; @`\"",
    ": `: $(@)`",
    ": $(: `@`)",
    ": `: '\\\\'; @`",
    ": `#c\n@`",
    ": `: <<E\nx\nE\n@`",
    ": ${x:-$(@)}",
    ": ${x-$(@)}",
    ": ${x:=$(@)}",
    ": ${x=$(@)}",
    "(: ${x:?$(@)})",
    "x=1; : ${x:+$(@)}",
    "x=1; : ${x+$(@)}",
    "x=1; : ${x#$(@)}",
    "x=1; : ${x##$(@)}",
    "x=1; : ${x%$(@)}",
    "x=1; : ${x%%$(@)}",
    "x=1; : ${x/$(@)/b}",
    "x=1; : ${x/1/$(@)}",
    "x=1; : ${x//1/$(@)}",
    "x=1; : ${x/#1/$(@)}",
    "x=1; : ${x/%1/$(@)}",
    "x=a; : ${x^$(@)}",
    "x=a; : ${x^^$(@)}",
    "x=a; : ${x,$(@)}",
    "x=a; : ${x,,$(@)}",
    "x=a; : ${x:$(@)}",
    "x=a; : ${x:0:$(@)}",
    "x=a; : ${x: $(@) 0 }",
    "x=a; : ${x:1?$(@)1:2:3}",
    "set -- a; : ${@:$(@)}",
    ": ${a[$(@)]}",
    ": ${#a[$(@)]}",
    "a=(1); : ${a[0+$(@)]:-x}",
    ": ${!a[$(@)]}",
    ": ${x:-${y:-$(@)}}",
    ": ${x:-`@`}",
    ": ${x:-\"$(@)\"}",
    ": \"${x:-$(@)}\"",
    ": \"${x:-\"$(@)\"}\"",
    ": \"${x:-'$(@)'}\"",
    ": \"${x:-'}'$(@)}\"",
    ": \"${x:-a}\"; @",
    ": \"${x:-'$(: ')'; @)'}\"",
    "(( 'a[$(: ')'; @)]' ))",
    "x=(<\n@",
    "a[$(@)] x",
    "a[\"$(@)\"] x",
    "a[b[$(@)]] x",
    ": `a[\\$(@)] x`",
    ": `a[\"\\$(@)\"] x`",
    "x=([$(@)])",
    ": <<E\n`: \\\"; @; : \\\"`\nE",
    ": \"${x:-`: \\\"; @; : \\\"`}\"",
    ": $((1+`: \\\"; @; : \\\"`))",
    "a[`: \\\"; @; : \\\"`]=1",
    "@ 2>&1>o",
    "@ <&0<o",
    "[[ $(@) > E\n]]",
    "[[ -n x\n&& $(@) ]]",
    "[[ a; $(x=(<\n@)",
    "a!(rex=(<\n@",
    "declare -a x=([$>(@)]=1)",
    ": $(: <<B)$(: <<C)\n'\nB'$(@)'\nC\n@",
    "x=($(!(f() x=(<\n@)))",
    ": $(: <<E)\n'$(@)'\nE",
    ": <(: <<E)\n'$(@)'\nE",
    ": <<A $(: <<B)\n'$(@)'\nB\n'$(@)'\nA\n@",
    ": $(: <<B) $(: <<C)\n'\nB\n'$(@)'\nC\n@",
    "[[ x &&\n$(@) ]]",
    "[[ (\nx ) \n|| $(@) ]]",
    "[[ !\n$(@) ]]",
    "[[ : $(x=(<\n@)",
    "!(case x in x) @;; esac)",
    "x['$(@)`']=1",
    ": \"${x:-'$(@)`'}\"",
    ": $(( $(case x in x) @;; esac) ))",
    "(( $(case x in x) @;; esac) ))",
    "((: ${x:-(}; @))",
    ": $(((1))}); @",
    ": $((1)a\n@\n)",
    "((: <<E\n@) )\nE",
    ": $(1<(: <<2)); @",
    ": 1<(@)",
    ": {a}<(@)",
    "coproc : a=(b) ; @",
    "x=(a;b)\n@",
    "f() x=(<\n@",
    "(:) x=(a&\n@",
    "declare x=(<\n@",
    ": $(x=(<\n@)",
    ": ${x:-'}'}; @",
    ": ${x:-\"}\"}; @",
    ": ${x:-\\}}; @",
    ": \"${x:-\\}}\"; @",
    ": ${x:-a b}; @",
    ": ${x:-a\nb}; @",
    ": ${x:-(}; @",
    ": ${x:-#}; @",
    ": ${#}; @",
    ": ${##}; @",
    ": $#; @",
    ": ${#x}; @",
    ": $$; @",
    ": ${$}; @",
    ": $!; @",
    ": ${!}; @",
    ": $-; @",
    ": ${x}}; @",
    ": $; @",
    ": $ ; @",
    ": \"$\"; @",
    ": $(( 1 + $(@) ))",
    ": $((1+`@`))",
    ": $(($(@)+(2)))",
    ": \"$((1+$(@)))\"",
    ": $(( ${x:-$(@)} ))",
    ": $(( a[$(@)] ))",
    ": $(( \"$(@)\" ))",
    ": $[ $(@) ]",
    ": $[ a[$(@)] ]",
    ": $((1)); @",
    ": $(((1))); @",
    ": $((1<<2)); @",
    ": $((1>2)); @",
    ": $((16#ff)); @",
    ": <(@)",
    ": >(@)",
    ": < <(@)",
    ": > >(@)",
    ": 2> >(@)",
    ": a<(@)b",
    ": {a,$(@)}",
    ": {$(@),b}c",
    ": {a,{b,$(@)}}",
    ": a{b,c}d; @",
    ": {a,b; @",
    ": {1..3}; @",
    ": }; @",
    ": {; @",
    ": {}; @",
    ": {a}; @",
    ": ]]; @",
    ": if; @",
    ": a=b; @",
    ": a=(b) ; @",
    "x=1 @",
    "x=1 y=2 @",
    "x= @",
    "x+=1 @",
    "x=(1 2) @",
    "x=(1\n2\n) @",
    "x=() @",
    "x=([0]=1 [1]=2) @",
    "x[0]=1 @",
    "x=$(@)",
    "x=`@`",
    "x=\"$(@)\"",
    "x+=$(@)",
    "x=($(@))",
    "x=([$(@)]=1)",
    "x=([0]=$(@))",
    "x=([0]=a$(@)b c)",
    "x+=($(@))",
    "x[$(@)]=1",
    "x[0]=$(@)",
    "x['$(@)']=1",
    "x[1 + $(@) 2]=1",
    "x[a[$(@)]]=1",
    "x=~$(@)",
    "x=a:$(@)",
    "declare x=$(@)",
    "declare -a x=($(@))",
    "declare -a x=([$(@)]=1)",
    "declare x[$(@)]=1",
    "export x=$(@)",
    "readonly x=$(@)",
    "typeset x=($(@))",
    "f() { local x=($(@)); }; f",
    "declare x=(1 2) y=$(@)",
    "x=(1 #)\n2); @",
    ": > $(@; echo o)",
    ": >> $(@; echo o)",
    ": >| $(@; echo o)",
    ": <> $(@; echo o)",
    ": &> $(@; echo o)",
    ": &>> $(@; echo o)",
    ": >& $(@; echo o)",
    ": < $(@; echo /dev/null)",
    ": 2> $(@; echo o)",
    ": {fd}> $(@; echo o)",
    ": <<< $(@)",
    ": <<< \"$(@)\"",
    "<<<$(@) :",
    ">o @",
    "<<<x @",
    "{fd}>o @",
    "2>o @",
    "2>&1 @",
    "@ >o",
    "@ 2>o",
    "@ &>o",
    "@ >&2",
    "@ 2>&1 >o",
    ">o x=1 @",
    "x=1 >o @",
    "x=1 >o y=2 @ a",
    "@ >o a >>o b",
    "{ :; } >o; @",
    "{ @; } >o 2>&1",
    "( @ ) >o",
    "if @; then :; fi >o",
    "while @; do break; done <o 2>o; @",
    "((1)) >o; @",
    "[[ x ]] >o; @",
    "exec 3>&-; @",
    ": 3<&-; @",
    ": 1>&2-; @",
    ": <<E\n$(@)\nE",
    ": <<E\n`@`\nE",
    ": <<E\n'$(@)'\nE",
    ": <<E\n\"$(@)\"\nE",
    ": <<E\n${x:-$(@)}\nE",
    ": <<E\n${x:-\"$(@)\"}\nE",
    ": <<E\n$((1+$(@)))\nE",
    ": <<E\n\\\\$(@)\nE",
    ": <<-E\n\t$(@)\n\tE",
    ": <<-E\n\t\tx\n\tE\n@",
    ": <<E\nx\nE\n@",
    ": <<E\nx\n E\nE\n@",
    ": <<E; @\nx\nE",
    ": <<E && @\nx\nE",
    ": <<E | @\nx\nE",
    ": <<A <<B\n$(@)\nA\nB",
    ": <<A <<B\nA\n$(@)\nB",
    ": <<A <<B\nA\nB\n@",
    ": <<'E'\n'\"`$(\nE\n@",
    ": <<\"E\"\n'\nE\n@",
    ": <<\\E\n'\nE\n@",
    ": <<E'F'\n'\nEF\n@",
    ": <<E\nit's $(@)\nE",
    ": <<E\n\\$(\nE\n@",
    ": <<E\\\nF\nEF\n@",
    ": <<\"\"\n\n@",
    ": <<$'E'\nE\n@",
    ": <<$(x)\n$(x)\n@",
    ": <<`x`\n`x`\n@",
    ": <<E$x\nE$x\n@",
    ": <<E\nx\\\nE\nE\n@",
    ": <<E\nx\\\\\nE\n@",
    "if :; then : <<E; fi\nx\nE\n@",
    "{ : <<E\nx\nE\n@; }",
    "( : <<E\nx\nE\n@ )",
    "f() { : <<E\n$(@)\nE\n}; f",
    "while : <<E\nx\nE\ndo @; break; done",
    "case x in x) : <<E ;; esac\nx\nE\n@",
    "#c\n@",
    ": #c\n@",
    ": # \\\n@",
    ": #'\n@",
    ": a#b; @",
    ": \\#; @",
    ":\\\n; @",
    ": \\\n@; @",
    "@ \\\n a",
    ": $\\\n(@)",
    ": `\\\n@`",
    ": &\\\n& @",
    ": |\\\n| :; @",
    "{\\\n @; }",
    "(\\\n@)",
    "if\\\n :; then @; fi",
    "i\\\nf :; then @; fi",
    "whi\\\nle @; do break; done",
    ": <\\\n<E\nx\nE\n@",
    ": $(\\\n(@) )",
    ": $\\\n{x:-$(@)}",
    "x\\\n=1 @",
    "x=\\\n1 @",
    "x[0\\\n]=1 @",
    ": \"\\\n$(@)\"",
    "\t@",
    "   @   ",
    "\n\n@\n\n",
    ";: ; @",
    ": ;; @",
    "@\n)",
    "@\nfi",
    "@\n'",
    "@\n\"",
    "@\n`",
    "@\n$(",
    "@\n${",
    "@\n((",
    "@\nif",
    "@\n<",
    "@\n: <<",
    "@\n[[",
    "@\nx=(",
    "@\ncase",
    "@\nf(",
    "@\n}",
    "@\n;;",
    "@;\n)",
    ": @(a|$(@))",
    ": !(a|$(@))",
    "!(@)",
    "! (@)",
    "!(:) || @",
    ": *; @",
    ": [a; @",
    ": ?; @",
    ": ~; @",
    ": ~/$(@)",
    ": a~b; @",
    ": !; @",
    ": !x; @",
    ": ^a^b; @",
    ": -- ; @",
    ": a\\ b; @",
    ": a\\;b; @",
    ": a\\&b; @",
    ": a\\|b; @",
    ": \\(; @",
    ": \\)\n@",
    ": \\<; @",
    ": '\n'; @",
    ": \"\n\"; @",
    "\\: ; @",
    "''@",
    "@''",
    "\"\"@",
    "+() { @; }; +",
    "a+() { @; }; a+",
    ": ${x@Q}; @",
    ": ${x@}; @",
    ": ${!x*}; @",
    ": ${!x@}; @",
    ": ${a[@]}; @",
    ": ${a[*]}; @",
    ": ${#a[@]}; @",
    ": ${!a[@]}; @",
    ": $a[1]; @",
    ": $1a; @",
    ": $10; @",
    ": ${10}; @",
    ": $_; @",
    ": $@; @",
    ": \"$@\"; @",
    ": $*; @",
    ": $?; @",
    "{ { { @; }; }; }",
    "( ( ( @ ) ) )",
    "{ (@); }",
    "({ @; })",
    "if if @; then :; fi; then :; fi",
    "if { @; } then :; fi",
    "if (@) then :; fi",
    "if :; then { :; } fi; @",
    "while (@) do break; done",
    "for i in 1; do (@) done",
    "case x in x) (@) esac",
    "case x in x) { @; } ;; esac",
    "case if in if) @;; esac",
    "case esac in (esac) @;; esac",
    "for if in 1; do @; done",
    "for in in in; do @; done",
    "for i in if then; do @; done",
    "x=if; @",
    ": in do done; @",
    "time { @; }",
    "time ( @ )",
    "time if @; then :; fi",
    "! { @; }",
    "! ( @ )",
    "! [[ $(@) ]]",
    "time; @",
    "!; @",
    "time -p; @",
    "!\n@",
    "{ ! @; }",
    "( ! @ )",
    "( time @ )",
    ": | ( @ )",
    ": | { @; }",
    ": | if :; then @; fi",
    ": | while :; do @; break; done",
    "0<o @",
    "3<>o @",
    "@ 10>o",
    "@ {a[0]}>o",
    ": {a[$(@)]}>o",
    ": 1{fd}>o; @",
    ": a2>o; @",
    ": 2 >o; @",
    ": 2\\>o; @",
    "\"2\">o @; @",
];

/// Stands where a command stands in a corner's text.
fn fill(corner: &str, command: &str) -> String {
    // Extended patterns and parameters also use the sign; only the one followed or preceded by a command place counts.
    let mut text = String::new();
    let bytes: Vec<char> = corner.chars().collect();
    for (index, &sign) in bytes.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| bytes[index]);
        let after = bytes.get(index + 1).copied();
        let literal = matches!(before, Some('[' | '{' | '$' | 'x'))
            && matches!(after, Some(']' | ':' | '}' | 'Q' | ';' | '"'))
            || after == Some('(') && before == Some(' ');
        if sign == '@' && !literal {
            text.push_str(command);
        } else {
            text.push(sign);
        }
    }
    text
}

/// A small generator of numbers, the same on every run.
struct Dice(u64);

impl Dice {
    fn new(which: u64) -> Self {
        let seed = std::env::var("BELAY_SEED")
            .ok()
            .and_then(|seed| seed.parse::<u64>().ok())
            .unwrap_or(1);
        Self((seed * 2 + which).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

fn seen(text: &[u8]) -> bool {
    let seen = std::panic::catch_unwind(|| Seen::of(&parse(text, Dialect::Bash)).runs("PWN"));
    seen.unwrap_or_else(|_| panic!("reading panics: {:?}", String::from_utf8_lossy(text)))
}

/// Compares many scripts with bash and returns those that ran what the tree does not show.
fn lost(texts: Vec<String>) -> (usize, Vec<String>) {
    let Some(bash) = oracle::bash() else {
        return (0, Vec::new());
    };
    let unseen: Vec<String> = texts
        .into_iter()
        .filter(|text| !seen(text.as_bytes()))
        .collect();
    let halves: Vec<&[String]> = unseen.chunks(unseen.len().div_ceil(2).max(1)).collect();
    let lost = std::thread::scope(|scope| {
        let workers: Vec<_> = halves
            .into_iter()
            .map(|half| {
                scope.spawn(|| {
                    half.iter()
                        .filter(|text| oracle::runs(&bash, text.as_bytes()))
                        .cloned()
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    (unseen.len(), lost)
}

fn rounds(usual: usize) -> usize {
    std::env::var("BELAY_PROBES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(usual)
}

/// The corners with the marker in them.
pub fn corners() -> Vec<String> {
    CORNERS.iter().map(|corner| fill(corner, "PWN")).collect()
}

/// Corners put into corners.
pub fn combinations(count: usize) -> Vec<String> {
    let mut dice = Dice::new(1);
    let mut texts = Vec::new();
    for _ in 0..count {
        let outer = CORNERS[dice.roll(CORNERS.len())];
        let inner = fill(CORNERS[dice.roll(CORNERS.len())], "PWN");
        let third = dice.roll(4) == 0;
        let text = fill(outer, &inner);
        texts.push(if third {
            fill(CORNERS[dice.roll(CORNERS.len())], &text)
        } else {
            text
        });
    }
    texts
}

pub const TOKENS: &[&str] = &[
    "'",
    "\"",
    "`",
    "$",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    "<",
    ">",
    "<<",
    "<<E\n",
    "E\n",
    "|",
    "&",
    ";",
    ";;",
    "\n",
    "\\",
    "\\\n",
    " ",
    "\t",
    "#",
    "!",
    "=",
    "+=",
    "~",
    "*",
    "?",
    "@(",
    "!(",
    ":",
    "-",
    "/",
    "%",
    ",",
    "..",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "case x in ",
    "esac",
    "in ",
    "$(",
    "${",
    "$((",
    "$'",
    "$\"",
    "<(",
    ">(",
    "&>",
    "x=(",
    "a[",
    "time ",
    "coproc ",
    "function ",
    "{a,b}",
    "\r",
    "PWN",
    "\nPWN\n",
    ";PWN;",
    "$(PWN)",
    "`PWN`",
];

/// Corners with a few bytes or tokens removed or added.
pub fn damaged(count: usize) -> Vec<String> {
    let mut dice = Dice::new(2);
    (0..count).map(|_| damage(&mut dice)).collect()
}

fn damage(dice: &mut Dice) -> String {
    let mut text = fill(CORNERS[dice.roll(CORNERS.len())], "PWN");
    if dice.roll(3) == 0 {
        text = fill(CORNERS[dice.roll(CORNERS.len())], &text);
    }
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(text.len().max(1));
        if dice.roll(2) == 0 && !text.is_empty() {
            text.remove(at.min(text.len() - 1));
        } else {
            let token = TOKENS[dice.roll(TOKENS.len())];
            text.splice(at.min(text.len())..at.min(text.len()), token.chars());
        }
    }
    text.into_iter().collect()
}

fn nothing_is_lost(what: &str, texts: Vec<String>) {
    let count = texts.len();
    let (unseen, lost) = lost(texts);
    println!(
        "{count} {what}, {unseen} not shown by the tree, {} lost",
        lost.len()
    );
    assert!(lost.is_empty(), "run by bash, not in the tree: {lost:#?}");
}

#[test]
fn every_corner_is_seen() {
    nothing_is_lost("corners", corners());
}

#[test]
fn corners_inside_corners_are_seen() {
    nothing_is_lost("combinations", combinations(rounds(1500)));
}

#[test]
fn damaged_corners_are_seen() {
    nothing_is_lost("damaged scripts", damaged(rounds(1500)));
}
