#shell bash
#does read /home/dev/p/a b/t1  (by call 1)
declare x=$(echo "a b")
show 1 "${x:-b}"/t1
