#shell bash
#does delete /home/?  (by call 4)
for y in a b; do
ln -s .. j; cd j; done
rid 4 ?
