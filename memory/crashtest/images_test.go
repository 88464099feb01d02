package crashtest_test

import (
	"testing"
)

// TestCrash lets the process die before each change of each scenario, and after the last.
func TestCrash(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			o, disk := s.ask(t)
			disk.Record()
			if err := s.run(open(t, o.root, disk)); err != nil {
				t.Fatal(err)
			}
			lines, moments := disk.Lines(), disk.Moments()
			for n, moment := range moments {
				if err := o.survives(t, found{disk: moment, acknowledged: n == len(lines)}); err != nil {
					t.Fatalf("dead before change %d: %v\n%s", n, err, operations(lines[:n]))
				}
			}
			t.Logf("%d boundaries", len(moments))
		})
	}
}

// TestPowerLoss makes images of the disk at each boundary of each scenario.
func TestPowerLoss(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			random := newRandom(t)
			o, disk := s.ask(t)
			disk.Record()
			if err := s.run(open(t, o.root, disk)); err != nil {
				t.Fatal(err)
			}
			lines, moments := disk.Lines(), disk.Moments()
			made, most, per := 0, 0, *images
			if raced {
				per /= 5
			}
			for n, moment := range moments {
				most = max(most, moment.Pending())
				for image := range moment.Images(random, per) {
					made++
					f := found{disk: image.Disk, acknowledged: n == len(lines), damaged: image.Damaged}
					if err := o.survives(t, f); err != nil {
						t.Fatalf("power lost before change %d: %v\n%s%q", n, err, operations(lines[:n]), image.Fates)
					}
				}
			}
			t.Logf("%d images of %d boundaries with up to %d changes open; %d of them different, %d with a garbled line",
				made, len(moments), most, len(o.judged), o.broken)
			if made < 2*len(moments)/3 {
				t.Errorf("only %d images of %d boundaries", made, len(moments))
			}
		})
	}
}
