#shell bash
#does delete /home/dev/p/a  (by call 1)
x=a; while :; do x=b eval 'x=c; break'; done; rid 1 "$x"
