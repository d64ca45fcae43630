#shell bash
#does delete /home/dev/p/t6  (by call 6)
x=b E=x; for y in {?,a}; do export "$y"=.; done; rid 6 "${!E}"/t6
