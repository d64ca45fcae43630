#shell bash
#does delete /home/dev/p/"2"/t4  (by call 4)
declare -ix x=1+1
{ read z; } <<E3
"$x"
b
E3
rid 4 "$z"/t4
