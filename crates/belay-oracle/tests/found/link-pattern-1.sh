#shell bash
#does delete /home/dev/s/a  (by call 2)
ln -s ../s j; rid 2 */*
