#shell bash
#does delete /home/dev/q  (by call 1)
x= n=d/e
: "${x:=../q}" $((n)); x=a
rid 1 "$x"
