import { expect, test } from 'vitest'
import { addMissingDiagram } from './lay-out.ts'
import { drawProcessSvg } from './picture.ts'
import { readBpmn } from './read-bpmn.ts'
import { leaveXml } from './test-flows.ts'

const POINTS = 200_000

test('a line of very many points is drawn with all of them, in a time that grows no faster than they do', () => {
  const graph = readBpmn(leaveXml)
  const points = Array.from({ length: POINTS }, (_, at) => `<di:waypoint x="${at % 3000}" y="${at % 700}"/>`)
  const [first] = /<di:waypoint [^>]*>/.exec(addMissingDiagram(leaveXml, graph))!
  const xml = addMissingDiagram(leaveXml, graph).replace(first, first + points.join(''))
  const begun = performance.now()
  const picture = drawProcessSvg(graph, xml)
  // Quadratic copying of the points would take minutes, well above any slow machine.
  expect(performance.now() - begun).toBeLessThan(20_000)
  const longest = Math.max(
    ...[...picture.matchAll(/<polyline points="([^"]*)"/g)].map(([, all]) => all!.split(' ').length),
  )
  expect(longest).toBeGreaterThan(POINTS)
  expect(picture).toMatch(/viewBox="-20 -20 3039 \d+"/)
})
