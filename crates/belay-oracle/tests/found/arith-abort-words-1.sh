#shell bash
#does read /home/dev/p/0/t3  (by call 3)
for y in "${x:n}" d; do
shift
done
show 3 "$y"/t3
