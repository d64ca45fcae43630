#shell bash
#does delete /home/dev/p/a  (by call 1)
x=a E=x; f() { shopt -s localvar_inherit; local x; rid 1 "$x"; }
f
