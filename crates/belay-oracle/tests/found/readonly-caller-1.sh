#shell bash
#does delete /home/dev/q  (by call 2)
g() {
local -r x="$-"
f() { local -n R=x; local x=b; R=../q; rid 2 "$R"; }
f
}
g b && rid 4 t4
