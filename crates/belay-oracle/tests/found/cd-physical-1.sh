#shell bash
#does delete /home/dev/p/d/d  (by call 1)
z=d E=x; ln -s d/d j; cd -P j/..
rid 1 "${z}"
