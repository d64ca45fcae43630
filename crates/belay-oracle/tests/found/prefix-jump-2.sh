#shell bash
#does delete /home/dev/p/a  (by call 1)
x=a; f() { : $((1/0)); }
x=b f
rid 1 "$x"
