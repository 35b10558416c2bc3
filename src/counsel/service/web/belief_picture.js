// What is believed, with trials, the proposal and a handle that a person drags.
// Places are in [0, 1] along each parameter: the service scales and names them.
// What the service sends is large and never changed in place, so it is read without Vue's proxies.
import { toRaw } from 'vue';
const SCALES = {
  mean: ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58',
    '#b5de2b', '#fde725'],
  sd: ['#00224e', '#123570', '#3b496c', '#575d6d', '#707173', '#8a8678', '#a59c74', '#c3b369',
    '#e1cc55', '#fee838'],
};
const LEFT = 50, RIGHT = 10, TOP = 8, BOTTOM = 42;
const shade = (scale, share) => {
  const stops = SCALES[scale], at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2), s = at - low;
  const part = (stop, i) => parseInt(stops[stop].slice(1 + 2 * i, 3 + 2 * i), 16);
  return [0, 1, 2].map(i => Math.round(part(low, i) * (1 - s) + part(low + 1, i) * s));
};
const image = view => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [view.z[0].length, view.z.length];
  const context = canvas.getContext('2d'), pixels = context.createImageData(canvas.width, canvas.height);
  const span = view.high - view.low || 1;
  view.z.forEach((row, j) => row.forEach((value, i) => {
    const place = 4 * ((canvas.height - 1 - j) * canvas.width + i);
    pixels.data.set([...shade(view.scale, (value - view.low) / span), 255], place);
  }));
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
};
// All candidates in one image: a thousand elements would take seconds to lay out.
const REACH = 8, SHARP = 2;
const dotted = (view, wide, tall) => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [SHARP * (wide + 2 * REACH), SHARP * (tall + 2 * REACH)];
  const context = canvas.getContext('2d'), span = view.high - view.low || 1;
  context.scale(SHARP, SHARP);
  context.strokeStyle = 'rgba(255,255,255,.8)';
  context.lineWidth = 0.8;
  for (const [u, v, value] of view.dots) {
    context.beginPath();
    context.arc(REACH + u * wide, REACH + (1 - v) * tall, 6, 0, 2 * Math.PI);
    context.fillStyle = value === null ? '#8a949c' : `rgb(${shade(view.scale, (value - view.low) / span)})`;
    context.fill();
    context.stroke();
  }
  return canvas.toDataURL();
};
// Relative to where the path stands: many of them make one path.
const SYMBOLS = {
  circle: 'm-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z', diamond: 'm0 -6.5l6.5 6.5l-6.5 6.5l-6.5 -6.5z',
  x: 'm-5 -3l2 -2l3 3l3 -3l2 2l-3 3l3 3l-2 2l-3 -3l-3 3l-2 -2l3 -3z', square: 'm-4.5 -4.5h9v9h-9z',
  'triangle-up': 'm0 -6l6 11h-12z',
  star: 'm0 -10l2.6 6.6l7 .3l-5.5 4.4l1.9 6.8l-6 -3.9l-6 3.9l1.9 -6.8l-5.5 -4.4l7 -.3z',
};

export default {
  template: `
<div class="beliefs">
  <figure v-for="(view, n) in drawn" :key="n">
    <figcaption v-html="view.caption"></figcaption>
    <svg :height="height" width="100%" role="img" :aria-label="view.words"
         :style="{touchAction: view.still ? 'auto' : 'none', cursor: still ? 'default' : 'crosshair'}"
         @pointerdown="grab($event, view)" @pointermove="drag($event, view)"
         @pointerup="drop" @pointercancel="drop">
      <title v-if="near">{{ near }}</title>
      <g :transform="'translate(' + LEFT + ',' + TOP + ')'">
        <image v-if="view.picture" :href="view.picture" :width="inner" :height="tall"
               preserveAspectRatio="none"></image>
        <rect class="edge" :width="inner" :height="tall"></rect>
        <path v-if="view.band" class="band" :d="view.band"></path>
        <path v-if="view.line" class="line" :d="view.line"></path>
        <g v-for="bar in view.bars || []">
          <line class="line" :x1="bar.x" :x2="bar.x" :y1="bar.top" :y2="bar.bottom"></line>
          <circle class="spot" :cx="bar.x" :cy="bar.y" r="5"></circle>
        </g>
        <image v-if="view.dotted" :href="view.dotted" :x="-REACH" :y="-REACH"
               :width="inner + 2 * REACH" :height="tall + 2 * REACH"></image>
        <path v-for="look in view.looks" :d="look.path" class="mark" :fill="look.colour"></path>
        <line v-if="view.upright" class="ghost" :x1="view.star.x" :x2="view.star.x" y1="0" :y2="tall"></line>
        <path v-if="view.star" :d="SYMBOLS.star" class="star"
              :transform="'translate(' + view.star.x + ',' + view.star.y + ')'"><title>the proposal</title></path>
        <line v-if="view.upright && handles[n]" class="mine-line" :x1="handles[n].x" :x2="handles[n].x" y1="0" :y2="tall"></line>
        <g v-if="handles[n]" class="mine" :transform="'translate(' + handles[n].x + ',' + handles[n].y + ')'">
          <circle r="11" class="halo"></circle><circle r="9"></circle><circle r="2.5" class="core"></circle>
        </g>
        <g class="ticks">
          <template v-for="tick in view.x.ticks">
            <line :x1="tick[0] * inner" :x2="tick[0] * inner" :y1="tall" :y2="tall + 4"></line>
            <text :x="tick[0] * inner" :y="tall + 19" text-anchor="middle">{{ tick[1] }}</text>
          </template>
          <template v-for="tick in view.y.ticks">
            <line x1="-4" x2="0" :y1="(1 - tick[0]) * tall" :y2="(1 - tick[0]) * tall"></line>
            <text x="-11" :y="(1 - tick[0]) * tall + 4" text-anchor="end">{{ tick[1] }}</text>
          </template>
          <text class="title" :x="inner / 2" :y="tall + 37" text-anchor="middle">{{ view.x.title }}</text>
          <text class="title" transform="rotate(-90)" :x="-tall / 2" y="-40" text-anchor="middle">{{ view.y.title }}</text>
        </g>
      </g>
    </svg>
    <div v-if="view.scale" class="colours" aria-hidden="true">
      <span>{{ view.lowest }}</span><i :style="{background: gradient(view.scale)}"></i><span>{{ view.highest }}</span>
    </div>
  </figure>
</div>`,
  props: { views: Array, scale: Array, trials: Array, proposal: Object, mine: Object, still: Boolean },
  // `now` has what was sent since the whole picture was: while a person drags, only what changes.
  data: () => ({ width: 300, held: null, own: null, near: '', last: 0, now: {}, LEFT, TOP, REACH, SYMBOLS }),
  watch: Object.fromEntries(['views', 'scale', 'trials', 'proposal', 'mine'].map(
    name => [name, function () { delete this.now[name]; }])),
  computed: {
    narrow() { return this.width < 240; },
    height() { return this.seen.length > 2 ? 190 : Math.min(330, Math.max(230, this.width * .8)); },
    inner() { return Math.max(60, this.width - LEFT - RIGHT); },
    tall() { return this.height - TOP - BOTTOM; },
    seen() { return toRaw(this.now.views ?? this.views ?? []); },
    ends() { return this.now.scale !== undefined ? this.now.scale : this.scale; },
    told() { return toRaw(this.now.trials ?? this.trials ?? []); },
    star() { return this.now.proposal ?? this.proposal; },
    pictures() { return this.seen.map(view => view.z ? image(view) : null); },
    handles() {
      const here = this.own ?? this.now.mine ?? this.mine;
      return this.seen.map(view => here && this.spot(view, here, this.level(view, here)));
    },
    drawn() {
      const ends = this.ends, span = ends ? ends[1] - ends[0] || 1 : 1;
      return this.seen.map((view, n) => {
        const found = { ...view, picture: this.pictures[n], upright: !view.y.name };
        found.star = this.star && this.spot(view, this.star, this.level(view, this.star));
        found.marks = this.told.map(trial => {
          const height = ends && trial.value !== null ? (trial.value - ends[0]) / span : null;
          const spot = this.spot(view, trial.at, height);
          return spot && (view.y.name || height !== null) ? { trial, ...spot } : null;
        }).filter(Boolean);
        found.looks = this.looks(found.marks);
        if (view.mean && !view.levels) {
          const xs = view.at.map(u => u * this.inner), ys = a => a.map(v => (1 - v) * this.tall);
          const path = (many, from) => many.map((y, i) => `${i ? 'L' : from}${xs[i].toFixed(1)} ${y.toFixed(1)}`).join('');
          const top = ys(view.upper), bottom = ys(view.lower);
          found.line = path(ys(view.mean), 'M');
          found.band = path(top, 'M') + bottom.map((y, i) => `L${xs[i].toFixed(1)} ${y.toFixed(1)}`).reverse().join('') + 'z';
        } else if (view.levels) {
          found.bars = view.at.map((u, i) => ({ x: u * this.inner, y: (1 - view.mean[i]) * this.tall,
            top: (1 - view.upper[i]) * this.tall, bottom: (1 - view.lower[i]) * this.tall }));
        }
        if (view.dots) found.dotted = dotted(view, this.inner, this.tall);
        return found;
      });
    },
  },
  methods: {
    // One path for all marks that look alike: hundreds of elements would take seconds to lay out.
    looks(marks) {
      const found = {};
      for (const { trial, x, y } of marks) {
        const look = found[trial.symbol + trial.colour] ??= { colour: trial.colour, parts: [] };
        look.parts.push(`M${x.toFixed(1)} ${y.toFixed(1)}` + SYMBOLS[trial.symbol]);
      }
      return Object.values(found).map(({ colour, parts }) => ({ colour, path: parts.join('') }));
    },
    gradient: scale => `linear-gradient(90deg, ${SCALES[scale].join(',')})`,
    take(parts) { this.now = { ...this.now, ...parts }; },
    // To other beliefs on the same scale, step by step: what changes is seen.
    morph(parts) {
      const from = this.seen, began = performance.now(), turn = this.turns = (this.turns ?? 0) + 1;
      const mix = (a, b, s) => (Array.isArray(b) ? b.map((each, i) => mix(a[i], each, s)) : a + (b - a) * s);
      const between = (old, view, s) => {
        const found = { ...view };
        for (const name of ['z', 'mean', 'lower', 'upper'])
          if (view[name] && old[name]?.length === view[name].length) found[name] = mix(old[name], view[name], s);
        if (view.dots && old.dots?.length === view.dots.length)
          found.dots = view.dots.map((dot, i) => dot.with(2, mix(old.dots[i][2], dot[2], s)));
        return found;
      };
      const step = now => {
        if (turn !== this.turns) return;
        const s = (now - began) / 700;
        if (s >= 1 || matchMedia('(prefers-reduced-motion: reduce)').matches) return this.take(parts);
        this.take({ views: parts.views.map((view, n) => between(from[n] ?? {}, view, s)) });
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    },
    spot(view, place, height) {
      return place && place[view.x.name] !== undefined ? {
        x: place[view.x.name] * this.inner,
        y: (1 - (view.y.name ? place[view.y.name] ?? 0 : height ?? 0)) * this.tall,
      } : null;
    },
    level(view, place) { return view.mean ? this.nearest(view, place[view.x.name]) : 0; },
    nearest(view, u) {
      let best = 0;
      view.at.forEach((each, i) => { if (Math.abs(each - u) < Math.abs(view.at[best] - u)) best = i; });
      return view.mean[best];
    },
    grab(event, view) {
      if (this.still || event.button > 0) return;
      event.currentTarget.setPointerCapture?.(event.pointerId);
      this.held = view;
      this.drag(event, view);
    },
    // What the mark under the pointer is; the browser shows it as a tooltip.
    name(event, view) {
      const box = event.currentTarget.getBoundingClientRect();
      const x = event.clientX - box.left - LEFT, y = event.clientY - box.top - TOP;
      const over = spot => Math.hypot(spot.x - x, spot.y - y) < 7;
      const under = view.marks.findLast(over);
      const dot = under ? null : view.dots?.findLast(([u, v]) => over({ x: u * this.inner, y: (1 - v) * this.tall }));
      this.near = under?.trial.title ?? dot?.[4] ?? '';
    },
    drag(event, view) {
      if (!this.held) return this.name(event, view);
      if (this.held.x.name !== view.x.name) return;
      const box = event.currentTarget.getBoundingClientRect();
      const clip = share => Math.min(Math.max(share, 0), 1);
      let u = clip((event.clientX - box.left - LEFT) / this.inner);
      const v = clip(1 - (event.clientY - box.top - TOP) / this.tall);
      if (view.dots) {
        const far = dot => ((dot[0] - u) * this.inner) ** 2 + ((dot[1] - v) * this.tall) ** 2;
        const dot = view.dots.reduce((a, b) => (far(b) < far(a) ? b : a));
        this.own = { [view.x.name]: dot[0], [view.y.name]: dot[1] };
        return this.tell({ row: dot[3] });
      }
      if (view.levels) u = view.at.reduce((a, b) => (Math.abs(b - u) < Math.abs(a - u) ? b : a));
      const moved = { [view.x.name]: u };
      if (view.y.name) moved[view.y.name] = v;
      this.own = { ...(this.own ?? this.now.mine ?? this.mine), ...moved };
      this.tell(moved);
    },
    tell(moved) {
      this.next = moved;
      const wait = 40 - (performance.now() - this.last);
      clearTimeout(this.timer);
      if (wait <= 0) this.send();
      else this.timer = setTimeout(() => this.send(), wait);
    },
    send() {
      this.last = performance.now();
      if (this.next) this.$emit('moved', this.next);
      this.next = null;
    },
    drop() {
      if (!this.held) return;
      clearTimeout(this.timer);
      this.send();
      this.held = null;
      // The service answers with the place, rounded to what the parameters allow.
      setTimeout(() => { if (!this.held) this.own = null; }, 400);
    },
    // The first panel's width, told by the browser whenever it changes: asking for it after every
    // update would have the whole page laid out each time.
    watch() {
      const panel = this.$el.querySelector('svg');
      if (panel === this.panel) return;
      this.watching.disconnect();
      if (panel) this.watching.observe(panel);
      this.panel = panel;
    },
  },
  mounted() {
    this.watching = new ResizeObserver(entries => {
      this.width = entries[0].contentRect.width || this.width;
    });
    this.watch();
  },
  updated() { this.watch(); },
  unmounted() { this.watching?.disconnect(); },
};
