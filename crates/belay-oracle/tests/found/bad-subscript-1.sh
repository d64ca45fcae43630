#shell bash
#does delete /home/dev/p/d  (by call 1)
for z in {d,../q}; do
A[-1]="$!"
done
rid 1 $z
