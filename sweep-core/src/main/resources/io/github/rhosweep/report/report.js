'use strict';
// Charts of the page from the numbers in #data, by ECharts. Names reach the page as text nodes, SVG text or attributes, never as markup.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  // Okabe and Ito 2008: told apart by colour-blind readers; markers and dashes tell curves apart in grey.
  const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#000000'];
  const MARKERS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle'];
  const DASHES = ['solid', 'dashed', 'dotted', [8, 3, 2, 3]];
  // Cividis (Nunez et al. 2018), turned round: darker is more, in grey too.
  const RAMP = ['#fee838', '#e1cc55', '#c3b369', '#a59c74', '#8a8678', '#707173', '#575d6d', '#3b496c', '#123570', '#00224e'];
  const LEAST_FRACTION = 1e-4; // smaller errors look alike
  const MOST_LABELS = 160;
  const PRINT_WIDTH = 660;
  const charts = [];

  const number = v => {
    if (v === null || v === undefined) return '-';
    const size = Math.abs(v);
    if (size !== 0 && (size >= 1e9 || size < 1e-4)) return v.toExponential(3);
    return String(Number(v.toPrecision(4)));
  };
  const shown = (quantity, v) => v === null ? '-' : !quantity.percent ? number(v)
    : v !== 0 && Math.abs(v) < 1e-9 ? '~0%' : number(100 * v) + '%';
  const short = (text, most) => {
    const letters = Array.from(text);
    return letters.length > most ? letters.slice(0, most - 1).join('') + '\u2026' : text;
  };
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const least = values => Math.min(...values);
  const most = values => Math.max(...values);
  const present = rows => rows.flat().filter(v => v !== null);
  const spansDecades = values => values.length > 0 && least(values) > 0 && most(values) / least(values) > 20;

  const tooltip = lines => {
    const tip = element('div', {className: 'tip'});
    lines.forEach(([name, value], i) => tip.append(
      i === 0 ? element('b', {dir: 'auto', textContent: name}) : element('div', {}, element('span', {dir: 'auto', textContent: name + ': '}), value)));
    return tip;
  };

  const base = (chart, width) => ({
    animation: false,
    textStyle: {fontFamily: 'system-ui, sans-serif', fontSize: 12, color: '#1b1b1b'},
    aria: {enabled: true, label: {enabled: true, description: describe(chart)}},
    tooltip: {trigger: 'item', confine: true, borderColor: '#767676', textStyle: {color: '#1b1b1b'}, formatter: chart.tip},
    grid: {left: 26, right: 22, top: chart.kind === 'heat' ? 8 : 44, bottom: chart.kind === 'heat' ? 80 : 32, containLabel: true}
  });

  const axisName = (text, gap, room) => ({
    name: short(text, Math.max(12, Math.floor(room / 7))), nameLocation: 'middle', nameGap: gap,
    nameTextStyle: {fontSize: 13, color: '#1b1b1b'}, axisLine: {lineStyle: {color: '#595959'}},
    axisLabel: {color: '#1b1b1b', hideOverlap: true}, splitLine: {show: true, lineStyle: {color: '#e4e4e4'}}
  });

  const categories = (texts, letters) => ({
    type: 'category', data: texts, splitLine: {show: false},
    axisLabel: {color: '#1b1b1b', hideOverlap: true, formatter: t => short(t, letters)}
  });

  // How far an axis' name must stand off its labels.
  const gap = texts => 14 + 7 * most(texts.map(t => Array.from(t).length));
  const named = (scale, i) => (scale.label ? scale.label + ' ' : '') + scale.texts[i];

  function describe(chart) {
    const {cube, slice, quantity} = chart;
    const values = present(cube.slices[slice].values[quantity]);
    const range = values.length === 0 ? 'no values'
      : 'from ' + shown(cube.quantities[quantity], least(values)) + ' to ' + shown(cube.quantities[quantity], most(values));
    return chart.caption + '. ' + cube.quantities[quantity].label + ' over ' + cube.x.label
      + (cube.by.label ? ', by ' + cube.by.label : '') + ': ' + range + '. The numbers are in the table below the chart.';
  }

  const errorBar = (params, api) => {
    const [x, low] = api.coord([api.value(0), api.value(1)]);
    const [, high] = api.coord([api.value(0), api.value(2)]);
    const style = {stroke: api.visual('color'), lineWidth: 1.5, fill: null};
    const line = (x1, y1, x2, y2) => ({type: 'line', shape: {x1, y1, x2, y2}, style});
    return {type: 'group', children: [line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)]};
  };

  function curves(chart, width) {
    const {cube, slice, quantity} = chart;
    const what = cube.quantities[quantity];
    const values = cube.slices[slice].values[quantity];
    const halfWidths = cube.slices[slice].halfWidths[quantity];
    const scale = what.percent ? 100 : 1;
    const logY = !what.percent && spansDecades(present(values));
    const xs = cube.x.values || cube.x.texts;
    const series = [];
    values.forEach((row, i) => {
      const colour = COLOURS[i % COLOURS.length];
      const name = cube.by.texts[i];
      series.push({
        type: 'line', name, symbol: MARKERS[i % MARKERS.length], symbolSize: 8, z: 3,
        lineStyle: {type: DASHES[Math.floor(i / COLOURS.length + i) % DASHES.length], width: 2}, itemStyle: {color: colour},
        data: row.map((y, k) => ({value: [xs[k], y === null || logY && y <= 0 ? '-' : y * scale], curve: i, at: k})).filter(p => p.value[1] !== '-')
      });
      const bars = halfWidths === null ? [] : row
        .map((y, k) => [xs[k], y, halfWidths[i][k]])
        .filter(([, y, h]) => y !== null && h !== null && h > 0 && !(logY && y - h <= 0))
        .map(([x, y, h]) => [x, (y - h) * scale, (y + h) * scale]);
      if (bars.length > 0) {
        series.push({type: 'custom', name, renderItem: errorBar, encode: {x: 0, y: [1, 2]}, data: bars, itemStyle: {color: colour}, silent: true, z: 2});
      }
    });
    const x = {...axisName(cube.x.label + (cube.x.values && cube.x.unit ? ' [' + cube.x.unit + ']' : ''), 28, width - 80)};
    Object.assign(x, cube.x.values ? {type: cube.x.log ? 'log' : 'value', scale: true} : categories(cube.x.texts, width < 500 ? 8 : 16));
    if (cube.x.log) x.logBase = 2;
    return {
      ...base(chart, width),
      legend: {show: cube.by.texts.length > 1 || cube.by.label !== '', type: 'scroll', top: 0, left: 0, right: 0, itemWidth: 34, data: cube.by.texts,
        formatter: name => short(named(cube.by, cube.by.texts.indexOf(name)), width < 500 ? 24 : 48)},
      xAxis: x,
      yAxis: {...axisName(what.label + (what.percent ? ' [%]' : ''), gap(present(values).map(v => number(v * scale)).concat('000')), 300),
        type: logY ? 'log' : 'value', scale: !what.percent, axisLabel: {color: '#1b1b1b', formatter: number}},
      series
    };
  }

  function heat(chart, width) {
    const {cube, slice, quantity} = chart;
    const what = cube.quantities[quantity];
    const rows = cube.slices[slice].values[quantity];
    const notes = cube.slices[slice].notes;
    const values = present(rows);
    const log = spansDecades(what.percent ? values.map(v => Math.max(v, LEAST_FRACTION)) : values);
    const place = v => log ? Math.log10(what.percent ? Math.max(v, LEAST_FRACTION) : v) : v;
    const unplace = v => log ? 10 ** v : v;
    const low = values.length ? place(least(values)) : 0;
    const high = values.length ? place(most(values)) : 1;
    const upright = isUpright(chart, width);
    const narrow = width / cube.x.texts.length < (notes ? 14 : 40);
    const letters = width < 500 ? 9 : 16;
    const cells = [];
    rows.forEach((row, i) => row.forEach((v, k) => {
      if (v === null) return;
      const dark = high > low && (place(v) - low) / (high - low) > 0.5;
      cells.push({value: [k, i, place(v)], curve: i, at: k, label: {color: dark ? '#fff' : '#000'}});
    }));
    const text = p => {
      const cell = p.data;
      const exact = rows[cell.curve][cell.at];
      const value = shown(what, notes ? Number(exact.toPrecision(2)) : exact);
      return notes ? short(notes[cell.curve][cell.at], 14) + (upright ? ' ' : '\n') + value : value;
    };
    return {
      ...base(chart, width),
      xAxis: {...axisName(cube.x.label, 28, width - 80), ...categories(cube.x.texts, width < 500 ? 8 : 16)},
      yAxis: {...axisName(cube.by.label, gap(cube.by.texts.map(t => short(t, letters))), 300), ...categories(cube.by.texts, letters)},
      visualMap: {type: 'continuous', min: low, max: high > low ? high : low + 1, dimension: 2, orient: 'horizontal', left: 'center', bottom: 0,
        itemHeight: Math.min(260, width / 3), itemWidth: 12, inRange: {color: RAMP}, calculable: false,
        text: [shown(what, values.length ? unplace(high) : null), (what.percent && log && least(values) < LEAST_FRACTION ? '< ' : '') + shown(what, values.length ? unplace(low) : null)]},
      series: [{type: 'heatmap', name: what.label, data: cells, itemStyle: {borderColor: '#fff', borderWidth: 1},
        label: {show: cells.length <= MOST_LABELS && !narrow, formatter: text, fontSize: 11, lineHeight: 13, rotate: upright ? 90 : 0}}]
    };
  }

  // Words in narrow cells stand upright.
  const isUpright = (chart, width) => chart.cube.slices[chart.slice].notes !== null && width / chart.cube.x.texts.length < 66;

  const height = (chart, width) => chart.kind === 'heat'
    ? 100 + Math.max(110, (isUpright(chart, width) ? 124 : 36) * chart.cube.by.texts.length)
    : width < 500 ? 320 : 400;

  function draw(chart, printWidth) {
    const width = printWidth || chart.plot.clientWidth || PRINT_WIDTH;
    const tall = height(chart, width);
    chart.plot.style.height = tall + 'px';
    chart.drawn.resize({width, height: tall});
    chart.drawn.setOption(chart.kind === 'heat' ? heat(chart, width) : curves(chart, width), true);
    chart.plot.setAttribute('aria-label', describe(chart));
    chart.width = width;
  }

  // The same numbers as a table, for those who cannot see the chart or want to copy them.
  function table(chart) {
    const {cube, slice, quantity} = chart;
    const what = cube.quantities[quantity];
    const {values, halfWidths, notes} = cube.slices[slice];
    const head = text => element('th', {scope: 'col', className: 'number', dir: 'auto', textContent: text});
    const top = element('tr', {}, element('th', {scope: 'col', dir: 'auto', textContent: cube.x.label}),
      ...cube.by.texts.map((t, i) => head(named(cube.by, i))));
    const body = cube.x.texts.map((x, k) => element('tr', {}, element('th', {scope: 'row', dir: 'auto', textContent: x}),
      ...values[quantity].map((row, i) => {
        const bar = halfWidths[quantity] ? halfWidths[quantity][i][k] : null;
        return element('td', {className: 'number', textContent: shown(what, row[k])
          + (bar ? ' \u00b1 ' + shown(what, bar) : '') + (notes && row[k] !== null ? ' ' + notes[i][k] : '')});
      })));
    const made = element('table', {}, element('caption', {dir: 'auto', textContent: what.label + (cube.slices[slice].name ? ', ' + cube.slices[slice].name : '')}),
      element('thead', {}, top), element('tbody', {}, ...body));
    const scroll = element('div', {className: 'scroll', tabIndex: 0}, made);
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', chart.caption);
    chart.numbers.querySelector('.scroll')?.remove();
    chart.numbers.append(scroll);
  }

  function choice(label, texts, chosen) {
    const select = element('select', {}, ...texts.map((t, i) => element('option', {value: String(i), textContent: short(t, 90)})));
    select.addEventListener('change', () => chosen(Number(select.value)));
    return element('label', {}, label, select);
  }

  function start(figure, i) {
    const {kind, cube, caption} = data.charts[i];
    const chart = {kind, caption, cube: data.cubes[cube], slice: 0, quantity: 0,
      plot: figure.querySelector('.plot'), numbers: figure.querySelector('.numbers')};
    chart.tip = p => {
      if (!p.data || p.data.curve === undefined) return '';
      const {cube, slice, quantity} = chart;
      const {curve, at} = p.data;
      const what = cube.quantities[quantity];
      const {values, halfWidths, notes} = cube.slices[slice];
      const bar = halfWidths[quantity] ? halfWidths[quantity][curve][at] : null;
      const lines = [[named(cube.by, curve), ''], [cube.x.label, cube.x.texts[at]],
        [what.label, shown(what, values[quantity][curve][at]) + (bar ? ' \u00b1 ' + shown(what, bar) : '')]];
      if (notes) lines.push(['', notes[curve][at]]);
      return tooltip(lines);
    };
    const changed = () => {
      draw(chart);
      if (chart.numbers.open) table(chart);
    };
    const controls = figure.querySelector('.controls');
    if (chart.cube.quantities.length > 1) {
      controls.append(choice('Show', chart.cube.quantities.map(q => q.label), q => { chart.quantity = q; changed(); }));
    }
    if (chart.cube.slices.length > 1) {
      controls.append(choice(chart.cube.sliceLabel, chart.cube.slices.map(s => s.name), s => { chart.slice = s; changed(); }));
    }
    const save = element('button', {type: 'button', textContent: 'Save as SVG'});
    save.addEventListener('click', () => element('a', {
      href: chart.drawn.getDataURL({type: 'svg', excludeComponents: ['toolbox']}), download: 'chart-' + (i + 1) + '.svg'}).click());
    controls.append(save);
    chart.numbers.addEventListener('toggle', () => { if (chart.numbers.open) table(chart); });
    chart.plot.style.height = '300px';
    chart.drawn = echarts.init(chart.plot, null, {renderer: 'svg'});
    draw(chart);
    charts.push(chart);
  }

  document.querySelectorAll('figure.chart').forEach(start);

  let wait = 0;
  window.addEventListener('resize', () => {
    clearTimeout(wait);
    wait = setTimeout(() => charts.filter(c => c.plot.clientWidth && c.plot.clientWidth !== c.width).forEach(c => draw(c)), 100);
  });
  window.addEventListener('beforeprint', () => charts.forEach(c => draw(c, PRINT_WIDTH)));
  window.addEventListener('afterprint', () => charts.forEach(c => draw(c)));

  const said = document.getElementById('said');
  document.querySelectorAll('.commands li').forEach(line => {
    const copy = element('button', {type: 'button', textContent: 'Copy'});
    copy.addEventListener('click', () => {
      const code = line.querySelector('code');
      const done = () => { copy.textContent = 'Copied'; said.textContent = 'Copied'; };
      const select = () => { getSelection().selectAllChildren(code); said.textContent = 'Selected'; };
      if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select); else select();
    });
    line.append(copy);
  });
  document.documentElement.dataset.charts = String(charts.length);
})();
