#shell bash
#does delete /home/dev/s  (by call 4)
ln -s ../s j; x=$(realpath j); rid 4 {../q,$x}
