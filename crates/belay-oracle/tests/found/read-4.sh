#shell bash
#does read /home/dev/p/a b/t6  (by call 6)
while read x; do
"$y"/t4
done < <()
show 6 "$x"/t6
