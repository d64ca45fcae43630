#shell bash
#does delete /home/dev/p/c  (by call 1)
export A=(a b); bash -c 'rid 1 "${A-c}"'
