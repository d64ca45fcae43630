#shell bash
#does delete /home/dev/p/a  (by call 1)
f() { rid 1 a; }; declare -fr f; unset -f f; f
