#shell bash
#does write /home/dev/p/0.t4  (by call 4)
#does write /home/dev/p/0.t4
declare -i x=b
put 4 "${x}".t4
