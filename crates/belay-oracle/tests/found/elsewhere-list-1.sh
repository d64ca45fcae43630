#shell bash
#does delete /home/dev/p/t2  (by call 2)
#does delete /home/dev/p/b/t1/t2  (by call 2)
cd b/t1
for x in "$PWD"; do rid 2 "$x"/t2; done
