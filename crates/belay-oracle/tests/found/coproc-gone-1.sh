#shell bash
#does delete /home/dev/p/a  (by call 1)
coproc x { sleep 0.1; }
x=b; wait; rid 1 "${x-a}"
