#shell bash
#does write /home/dev/p/0.t3
cd d ||cd > "${#A[@]}".t3
