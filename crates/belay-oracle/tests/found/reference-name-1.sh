#shell bash
#does read /home/dev/p/x/t2  (by call 2)
x=d E=x; unset "$x"
declare -n R=x
show 2 "${!R}"/t2
