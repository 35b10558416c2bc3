// The widget of counsel.integrations.notebook: plain DOM, no library, no network.

const steps = 200;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const short = (value) => (typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value));

// Positions of a slider and the values that they stand for, linear or logarithmic.
function toValue(input, position) {
  const share = position / steps;
  const value = input.log
    ? input.low * Math.pow(input.high / input.low, share)
    : input.low + share * (input.high - input.low);
  return input.kind === "whole" ? Math.round(value) : value;
}

function toPosition(input, value) {
  const share = input.log
    ? Math.log(value / input.low) / Math.log(input.high / input.low)
    : (value - input.low) / (input.high - input.low);
  return Math.round(share * steps);
}

function bars(list) {
  const largest = Math.max(1e-12, ...list.map((each) => Math.abs(each.value)));
  const box = element("div", { className: "counsel-bars" });
  for (const each of list) {
    const width = (50 * Math.abs(each.value)) / largest;
    const bar = element("span");
    bar.style.cssText =
      `position:absolute;height:10px;top:4px;background:${each.colour};width:${width}%;` +
      (each.value < 0 ? `right:50%` : `left:50%`);
    const track = element("span", { title: `${each.parameter}, ${each.term}: ${short(each.value)}` }, bar);
    track.style.cssText = "position:relative;flex:1;height:18px";
    const name = element("span", { textContent: `${each.parameter} · ${each.term}` });
    name.style.cssText = "width:14em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap";
    const line = element("div", {}, name, track);
    line.style.cssText = "display:flex;gap:8px;font-size:12px";
    box.append(line);
  }
  return box;
}

function render({ model, el }) {
  const left = element("div", { className: "counsel-proposal" });
  const right = element("div", { className: "counsel-mine" });
  const said = element("div", { className: "counsel-message" });
  said.setAttribute("aria-live", "polite");
  const columns = element("div", {}, left, right);
  columns.style.cssText = "display:flex;flex-wrap:wrap;gap:24px";
  for (const side of [left, right]) side.style.cssText = "flex:1;min-width:280px";
  el.style.cssText = "font:14px/1.45 system-ui,sans-serif";
  el.append(columns, said);

  const fields = {};
  const prediction = element("div", { className: "counsel-mine-prediction" });
  prediction.style.cssText = "font-size:18px";
  const reasons = element("div");
  right.append(element("b", { textContent: "What I would try" }));
  const set = (changes) => {
    model.set("point", { ...model.get("point"), ...changes });
    model.save_changes();
  };
  for (const input of model.get("inputs")) {
    const row = element("label");
    row.style.cssText = "display:flex;gap:8px;align-items:center";
    const name = element("span", { textContent: input.name });
    name.style.width = "8em";
    row.append(name);
    if (input.kind === "number" || input.kind === "whole") {
      const slider = element("input", { type: "range", min: 0, max: steps, step: 1 });
      slider.dataset.parameter = input.name;
      slider.style.flex = "1";
      const value = element("span");
      value.style.width = "6em";
      slider.addEventListener("input", () => {
        value.textContent = short(toValue(input, Number(slider.value)));
      });
      slider.addEventListener("change", () => set({ [input.name]: toValue(input, Number(slider.value)) }));
      row.append(slider, value);
      fields[input.name] = (given) => {
        slider.value = toPosition(input, given);
        value.textContent = short(given);
      };
    } else {
      const select = element("select");
      select.dataset.parameter = input.name;
      input.choices.forEach((choice, i) => {
        const text = typeof choice === "object" ? Object.entries(choice).map(([k, v]) => `${k} ${short(v)}`).join(", ") : String(choice);
        select.append(element("option", { value: i, textContent: text }));
      });
      select.addEventListener("change", () => {
        const chosen = input.choices[Number(select.value)];
        if (input.kind === "arms") {
          model.set("point", chosen);
          model.save_changes();
        } else set({ [input.name]: chosen });
      });
      row.append(select);
      if (input.kind === "choice") fields[input.name] = (given) => (select.value = input.choices.indexOf(given));
    }
    right.append(row);
  }
  right.append(prediction, reasons);

  function showProposal() {
    const proposal = model.get("proposal");
    left.replaceChildren(element("b", { textContent: `Proposal ${proposal.id}` }));
    const values = Object.entries(proposal.values).map(([name, each]) => `${name} ${short(each)}`);
    left.append(element("div", { className: "counsel-values", textContent: values.join(", ") }));
    const believed = proposal.prediction ? `predicted ${proposal.prediction}` : "nothing is predicted yet";
    left.append(element("div", { textContent: believed }));
    left.append(element("div", { className: "counsel-why", textContent: proposal.why.sentence }), bars(proposal.why.bars));
    const reason = element("input", { placeholder: "reason", className: "counsel-reason" });
    const buttons = element("div");
    buttons.style.cssText = "display:flex;flex-wrap:wrap;gap:8px;margin:8px 0";
    const act = (verb, more = {}) => model.send({ verb, reason: reason.value, ...more });
    if (proposal.decided) {
      left.append(element("div", { textContent: proposal.decided }));
    } else {
      for (const [verb, text] of [["accept", "Accept"], ["override", "Try mine instead"], ["reject", "Reject"]]) {
        buttons.append(element("button", { textContent: text, onclick: () => act(verb) }));
      }
      left.append(reason);
    }
    left.append(buttons);
    const outcomes = {};
    const measured = element("div");
    measured.style.cssText = "display:flex;flex-wrap:wrap;gap:8px";
    for (const name of proposal.outcomes) {
      const star = proposal.asks.includes(name) ? " (worth asking)" : "";
      const field = element("input", { type: "number", step: "any", placeholder: name + star });
      field.dataset.outcome = name;
      field.addEventListener("input", () => {
        if (field.value === "") delete outcomes[name];
        else outcomes[name] = Number(field.value);
      });
      measured.append(field);
    }
    measured.append(element("button", { textContent: "Tell", onclick: () => act("tell", { outcomes }) }));
    left.append(measured);
  }

  function showPoint() {
    const point = model.get("point");
    for (const [name, show] of Object.entries(fields)) if (name in point) show(point[name]);
  }

  function showBelief() {
    const belief = model.get("belief");
    const chances = Object.entries(belief.chances ?? {}).map(([name, each]) => `${name} ${Math.round(100 * each)} %`);
    prediction.textContent = belief.prediction ? `predicted ${belief.prediction}` : "";
    reasons.replaceChildren(
      element("div", { textContent: chances.join(", ") }),
      element("div", { textContent: belief.sentence ?? "" }),
      bars(belief.bars ?? []),
    );
  }

  const showMessage = () => (said.textContent = model.get("message"));
  const watched = { proposal: showProposal, point: showPoint, belief: showBelief, message: showMessage };
  for (const [name, show] of Object.entries(watched)) {
    model.on(`change:${name}`, show);
    show();
  }
  return () => Object.entries(watched).forEach(([name, show]) => model.off(`change:${name}`, show));
}

export default { render };
