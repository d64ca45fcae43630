#shell bash
#does delete /home/dev/p/b  (by call 1)
x=a; x=b eval 'declare -x x'; rid 1 "$x"
