#shell bash
#does delete /home/dev/p/d/t1  (by call 1)
trap 'rid 1 t1' EXIT; cd d; kill $$; cd ..
