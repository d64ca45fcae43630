#shell bash
#does delete /home/dev/p/b  (by call 1)
#does delete /home/dev/p/a  (by call 2)
x=a; declare -n R=x; R=b eval 'rid 1 "$x"'; rid 2 "$x"
