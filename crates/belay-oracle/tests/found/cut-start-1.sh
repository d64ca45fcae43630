#shell bash
#does write /home/dev/t1
touch k..; for f in k*; do : > "${f#k}"/t1; done
