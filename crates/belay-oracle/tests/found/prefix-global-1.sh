#shell bash
#does delete /home/dev/p/b  (by call 1)
#does delete /home/dev/p/c  (by call 2)
x=a; x=b eval 'declare -g x=c; rid 1 "$x"'; rid 2 "$x"
