#shell bash
#does delete /home/dev/s/d/t1  (by call 1)
cd d; mv ../d ../../s/d | cat; rid 1 t1
