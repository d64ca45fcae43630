#shell bash
#does delete /home/dev/p/a  (by call 1)
#does delete /home/dev/p/a  (by call 2)
x=a; x=b eval 'unset x; rid 1 "$x"'; rid 2 "$x"
