#shell bash
#does read /home/dev/p/d/t2  (by call 2)
for y do
y=d/e
done
show 2 "${y}"/t2
