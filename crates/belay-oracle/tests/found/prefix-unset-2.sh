#shell bash
#does delete /home/dev/p/c  (by call 2)
x=a; x=b eval 'unset x; x=c'; rid 2 "$x"
