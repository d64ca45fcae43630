#shell bash
#does delete /home/dev/p/a:b  (by call 1)
x=../q
for (( n=0; n<2; x++ )); do
x=a:b
done
rid 1 "$x"
