package packet

import (
	"maps"
	"strings"

	"github.com/prompt-runner/prompt-runner/run"
)

// recoveryLayer is the recovery block of one layer.
type recoveryLayer struct {
	resumeAttempts setting[int64]

	maxRetries  setting[int64]
	baseDelayMS setting[int64]
	maxDelayMS  setting[int64]
	jitter      setting[bool]
	classes     map[run.Class]setting[int64]

	repair                  setting[bool]
	maxRepairs              setting[int64]
	onFailedVerifier        setting[bool]
	onFailureWithChanges    setting[bool]
	onExhaustionWithChanges setting[bool]
}

// readRecovery reads a recovery block. A value that cannot be used is an error:
// a default in its place would spend what the author meant to save.
func readRecovery(r *report, n node) recoveryLayer {
	var l recoveryLayer
	if !r.block(n) {
		return l
	}
	r.only(n, recoveryObject)
	l.resumeAttempts = readCount(r, n.get("resume_attempts"))
	readCount(r, n.get("max_steers"))
	if retry := n.get("retry"); r.block(retry) {
		r.only(retry, retryObject)
		l.maxRetries = readCount(r, retry.get("max_attempts"))
		l.baseDelayMS = readDelay(r, retry.get("base_delay_ms"))
		l.maxDelayMS = readDelay(r, retry.get("max_delay_ms"))
		l.jitter = readSwitch(r, retry.get("jitter"))
		l.classes = readClasses(r, retry.get("class_attempts"))
	}
	if repair := n.get("repair"); r.block(repair) {
		r.only(repair, repairObject)
		l.repair = readSwitch(r, repair.get("enabled"))
		l.maxRepairs = readCount(r, repair.get("max_attempts"))
		l.onFailedVerifier = readSwitch(r, repair.get(onFailedVerifier))
		l.onFailureWithChanges = readSwitch(r, repair.get(onFailure))
		l.onExhaustionWithChanges = readSwitch(r, repair.get(onExhaustion))
	}
	return l
}

func readClasses(r *report, n node) map[run.Class]setting[int64] {
	if !r.block(n) {
		return nil
	}
	classes := make(map[run.Class]setting[int64], len(n.fields))
	for _, field := range n.fields {
		class := classNamed(field.name)
		if _, twice := classes[class]; twice {
			r.errorf(field.value.place, "the class %s occurs twice; keep one", class)
		}
		if count := readCount(r, field.value); count.set {
			classes[class] = count
		}
	}
	return classes
}

// classNamed is the class that a packet spells with capitals or dashes.
func classNamed(name string) run.Class {
	return run.Class(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_"))
}

func readCount(r *report, n node) setting[int64] { return readWhole(r, n, counts) }

func readDelay(r *report, n node) setting[int64] { return readWhole(r, n, delays) }

func readWhole(r *report, n node, b bounds) setting[int64] {
	value, ok := r.whole(n, b)
	return setting[int64]{value: value, at: n.place, set: ok}
}

func readSwitch(r *report, n node) setting[bool] {
	value, ok := r.looseTruth(n)
	return setting[bool]{value: value, at: n.place, set: ok}
}

// over lays stronger settings over weaker ones, key by key.
func (l recoveryLayer) over(weaker recoveryLayer) recoveryLayer {
	classes := maps.Clone(weaker.classes)
	if classes == nil {
		classes = map[run.Class]setting[int64]{}
	}
	maps.Copy(classes, l.classes)
	return recoveryLayer{
		resumeAttempts:          l.resumeAttempts.or(weaker.resumeAttempts),
		maxRetries:              l.maxRetries.or(weaker.maxRetries),
		baseDelayMS:             l.baseDelayMS.or(weaker.baseDelayMS),
		maxDelayMS:              l.maxDelayMS.or(weaker.maxDelayMS),
		jitter:                  l.jitter.or(weaker.jitter),
		classes:                 classes,
		repair:                  l.repair.or(weaker.repair),
		maxRepairs:              l.maxRepairs.or(weaker.maxRepairs),
		onFailedVerifier:        l.onFailedVerifier.or(weaker.onFailedVerifier),
		onFailureWithChanges:    l.onFailureWithChanges.or(weaker.onFailureWithChanges),
		onExhaustionWithChanges: l.onExhaustionWithChanges.or(weaker.onExhaustionWithChanges),
	}
}

// defaultRecovery is what holds where no file says otherwise.
var defaultRecovery = run.RecoveryPolicy{
	ResumeAttempts: 2,
	Retry: run.RetryPolicy{
		MaxAttempts: 3,
		BaseDelayMS: 1000,
		MaxDelayMS:  30_000,
		Jitter:      true,
		ClassAttempts: map[run.Class]int{
			run.ClassCapacity:            5,
			run.ClassRateLimit:           5,
			run.ClassAuthClaim:           3,
			run.ClassConfigClaim:         3,
			run.ClassRuntimeClaim:        3,
			run.ClassTransportDisconnect: 4,
			run.ClassTransportTimeout:    4,
			run.ClassProtocolError:       4,
			run.ClassUnknown:             3,
		},
	},
	Repair: run.RepairPolicy{
		Enabled:                 true,
		MaxAttempts:             2,
		OnFailedVerifier:        true,
		OnFailureWithChanges:    true,
		OnExhaustionWithChanges: true,
	},
}

// policy fills in the defaults. A limit for all retries that the author set
// also holds for the classes that the author gave no limit of their own.
func (l recoveryLayer) policy() run.RecoveryPolicy {
	count := func(s setting[int64], fallback int) int { return int(valueOr(s, int64(fallback))) }
	retry, repair := defaultRecovery.Retry, defaultRecovery.Repair
	policy := run.RecoveryPolicy{
		ResumeAttempts: count(l.resumeAttempts, defaultRecovery.ResumeAttempts),
		Retry: run.RetryPolicy{
			MaxAttempts:   count(l.maxRetries, retry.MaxAttempts),
			BaseDelayMS:   valueOr(l.baseDelayMS, retry.BaseDelayMS),
			MaxDelayMS:    valueOr(l.maxDelayMS, retry.MaxDelayMS),
			Jitter:        valueOr(l.jitter, retry.Jitter),
			ClassAttempts: maps.Clone(retry.ClassAttempts),
		},
		Repair: run.RepairPolicy{
			Enabled:                 valueOr(l.repair, repair.Enabled),
			MaxAttempts:             count(l.maxRepairs, repair.MaxAttempts),
			OnFailedVerifier:        valueOr(l.onFailedVerifier, repair.OnFailedVerifier),
			OnFailureWithChanges:    valueOr(l.onFailureWithChanges, repair.OnFailureWithChanges),
			OnExhaustionWithChanges: valueOr(l.onExhaustionWithChanges, repair.OnExhaustionWithChanges),
		},
	}
	if l.maxRetries.set {
		for class, limit := range policy.Retry.ClassAttempts {
			policy.Retry.ClassAttempts[class] = min(limit, policy.Retry.MaxAttempts)
		}
	}
	for class, limit := range l.classes {
		policy.Retry.ClassAttempts[class] = int(limit.value)
	}
	return policy
}

func valueOr[T any](s setting[T], fallback T) T {
	if s.set {
		return s.value
	}
	return fallback
}
