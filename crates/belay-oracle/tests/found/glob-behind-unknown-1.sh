#shell bash
#does delete /home/dev/p/d/d/d/t3  (by call 3)
for y in "$y"/*; do
cd d
done
rid 3 d/t3
