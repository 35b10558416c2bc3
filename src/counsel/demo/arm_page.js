// The arm on the page: draws it, keeps time, and tells the server which key came at which step.
window.arm = (() => {
  const STEPS = 50;
  let pace = 130;  // milliseconds a step
  const LEAD = 2;  // a push counts from here on: the new plan is there before the arm is
  const parts = () => {
    const stage = document.querySelector('.stage');
    return stage && { limbs: stage.querySelectorAll('.limb'), hand: stage.querySelector('.hand'),
      way: stage.querySelector('.way'), was: stage.querySelector('.was') };
  };
  let path = null, t = 0, last = 0, moving = false;

  const joints = ([a, b]) => {
    const elbow = [Math.cos(a), Math.sin(a)];
    return [elbow, [elbow[0] + Math.cos(a + b), elbow[1] + Math.sin(a + b)]];
  };
  const between = time => {
    const i = Math.min(Math.floor(time), STEPS - 1), s = time - i;
    return [0, 1].map(j => path[i][j] * (1 - s) + path[i + 1][j] * s);
  };
  const points = many => many.map(q => joints(q)[1]).map(([x, y]) => `${x},${-y}`).join(' ');
  const line = (limb, [x1, y1], [x2, y2]) => {
    for (const [name, value] of Object.entries({ x1, y1: -y1, x2, y2: -y2 }))
      limb.setAttribute(name, value);
  };
  const draw = () => {
    const shown = parts();
    if (!shown || !path) return;
    const [elbow, hand] = joints(between(t));
    line(shown.limbs[0], [0, 0], elbow);
    line(shown.limbs[1], elbow, hand);
    shown.hand.setAttribute('cx', hand[0]);
    shown.hand.setAttribute('cy', -hand[1]);
    shown.hand.classList.toggle('hit', hand[0] > 1);
  };
  const tick = now => {
    if (!moving) return;
    t = Math.min(STEPS, t + Math.max(0, now - last) / pace);  // a frame may date from before
    last = now;
    draw();
    if (t >= STEPS) {
      moving = false;
      emitEvent('arm_done', {});
    } else requestAnimationFrame(tick);
  };
  return {
    follow(planned, begin) {
      const shown = parts();
      if (!shown) return;
      shown.was.setAttribute('points', path && !begin ? points(path) : '');
      path = planned;
      if (begin) { t = 0; moving = false; }
      shown.way.setAttribute('points', points(path));
      draw();
    },
    start() {
      last = performance.now();
      moving = true;
      requestAnimationFrame(tick);
    },
    slow(wanted) { pace = wanted ? 600 : 130; },
    press(key) {
      if (moving) emitEvent('arm_key', { key, step: Math.min(STEPS - 1, Math.floor(t) + LEAD) });
    },
  };
})();
document.addEventListener('keydown', event => {
  const typing = ['INPUT', 'TEXTAREA'].includes(document.activeElement?.tagName);
  if (typing || !event.key.startsWith('Arrow') || !document.querySelector('.stage')) return;
  event.preventDefault();
  if (!event.repeat) window.arm.press(event.key.slice(5).toLowerCase());
});
