#shell bash
#does delete /home/dev/p/t1  (by call 1)
pushd -n &&rid 1 t1
