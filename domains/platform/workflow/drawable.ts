import { layoutProcess } from 'bpmn-auto-layout'

const BPMN = 'http://www.omg.org/spec/BPMN/20100524/MODEL'
const DIAGRAM = 'http://www.omg.org/spec/BPMN/20100524/DI'
/** Child elements that come before the names of the flows. */
const FIRST = new Set(['documentation', 'extensionElements', 'auditing', 'monitoring', 'categoryValueRef'])
const ACTIVITI = 'http://activiti.org/bpmn'
const FLOWABLE = 'http://flowable.org/bpmn'

/**
 * Returns the file in a form that can be drawn: Activiti's namespace becomes Flowable's, and a missing diagram is
 * generated.
 */
export async function toDrawableBpmn(xml: string): Promise<string> {
  const whole = xml.replaceAll(`"${ACTIVITI}"`, `"${FLOWABLE}"`)
  const file = new DOMParser().parseFromString(whole, 'application/xml')
  if (file.getElementsByTagNameNS(DIAGRAM, 'BPMNShape').length) return whole
  return layoutProcess(joined(file))
}

/**
 * Adds each flow's name to its source and target. Flowable's files name only the two ends at the flow; the layout needs
 * both sides.
 */
function joined(file: Document): string {
  const nodes = new Map([...file.querySelectorAll('[id]')].map((one) => [one.getAttribute('id')!, one]))
  for (const line of file.getElementsByTagNameNS(BPMN, 'sequenceFlow')) {
    const id = line.getAttribute('id')!
    addFlowReference(file, nodes.get(line.getAttribute('sourceRef') ?? ''), 'outgoing', id)
    addFlowReference(file, nodes.get(line.getAttribute('targetRef') ?? ''), 'incoming', id)
  }
  return new XMLSerializer().serializeToString(file)
}

function addFlowReference(file: Document, node: Element | undefined, name: 'incoming' | 'outgoing', id: string): void {
  if (!node) return
  const own = [...node.children]
  if (own.some((one) => one.localName === name && one.textContent?.trim() === id)) return
  const prefix = node.prefix ? `${node.prefix}:` : ''
  const element = file.createElementNS(BPMN, prefix + name)
  element.textContent = id
  const before = own.find(
    (one) => !FIRST.has(one.localName) && (name === 'outgoing' ? one.localName !== 'incoming' : true),
  )
  node.insertBefore(element, before ?? null)
}
