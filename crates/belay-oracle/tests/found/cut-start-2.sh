#shell bash
#does write /t1
touch k; for f in k*; do : > "${f#k}"/t1; done
