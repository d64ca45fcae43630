#shell bash
#does delete /home/dev/p/a  (by call 1)
shopt -s extglob; x='@(a|b)'; rid 1 $x
