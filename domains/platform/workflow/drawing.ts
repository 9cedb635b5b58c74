import Modeler from 'bpmn-js/lib/Modeler'
import { useEffect, useRef, useState } from 'react'
import { toDrawableBpmn } from './drawable.ts'
import { flowableModdleDescriptor, storeModdleDescriptor } from './bpmn-moddle.ts'
import { bpmnEditorToolsModule } from './drawing-tools.ts'
import { bpmnTranslateModule } from './bpmn-words.ts'

/** Properties of a drawn element; Flowable's and our attributes have prefixed names. */
export type BpmnBusinessObject = {
  $type: string
  id: string
  name?: string
  get: (name: string) => any
}
export type BpmnDiagramElement = {
  id: string
  type: string
  businessObject: BpmnBusinessObject
  source?: BpmnDiagramElement
  label?: BpmnDiagramElement
}
type Modeling = {
  updateProperties: (element: BpmnDiagramElement, properties: Record<string, unknown>) => void
  updateModdleProperties: (element: BpmnDiagramElement, of: unknown, properties: Record<string, unknown>) => void
}
type Canvas = {
  getRootElement: () => BpmnDiagramElement
  zoom: (to: 'fit-viewport') => void
  scroll: (by: { dx: number; dy: number }) => void
}
/** Offset of the drawing in pixels, as the palette covers its edge. */
const PALETTE_OFFSET = { dx: 70, dy: 30 }

export type BpmnEditor = {
  element: BpmnDiagramElement | undefined
  /** Increases with every change, so that components re-render. */
  round: number
  set: (properties: Record<string, unknown>) => void
  setOf: (of: unknown, properties: Record<string, unknown>) => void
  create: (type: string, properties?: Record<string, unknown>) => any
  xml: () => Promise<string>
}

/** Mounts the BPMN modeler in the page; returns the selected element and functions to change it. */
export function useBpmnEditor(given: string | undefined, onFailed: (error: Error) => void) {
  const place = useRef<HTMLDivElement>(null)
  const modeler = useRef<Modeler>(undefined)
  const [element, setElement] = useState<BpmnDiagramElement>()
  const [round, setRound] = useState(0)
  const failed = useRef(onFailed)
  failed.current = onFailed
  useEffect(() => {
    if (given === undefined || !place.current) return
    const made = new Modeler({
      container: place.current,
      additionalModules: [bpmnTranslateModule, bpmnEditorToolsModule],
      moddleExtensions: { flowable: flowableModdleDescriptor, store: storeModdleDescriptor },
    })
    modeler.current = made
    const root = () => made.get<Canvas>('canvas').getRootElement()
    made.on('selection.changed', ({ newSelection }: { newSelection: BpmnDiagramElement[] }) => {
      const [one] = newSelection
      setElement(newSelection.length === 1 ? one : root())
    })
    made.on('commandStack.changed', () => setRound((before) => before + 1))
    toDrawableBpmn(given)
      .then((xml) => made.importXML(xml))
      .then(() => {
        made.get<Canvas>('canvas').zoom('fit-viewport')
        made.get<Canvas>('canvas').scroll(PALETTE_OFFSET)
        setElement(root())
      })
      .catch((reason: unknown) => modeler.current === made && failed.current(reason as Error))
    return () => {
      modeler.current = undefined
      made.destroy()
    }
  }, [given])
  return { place, drawing: drawingOf(modeler.current, element, round) }
}

function drawingOf(modeler: Modeler | undefined, element: BpmnDiagramElement | undefined, round: number): BpmnEditor {
  const modeling = () => modeler!.get<Modeling>('modeling')
  return {
    element: element?.label === element ? undefined : element,
    round,
    set: (properties) => modeling().updateProperties(element!, properties),
    setOf: (of, properties) => modeling().updateModdleProperties(element!, of, properties),
    create: (type, properties) => modeler!.get<any>('bpmnFactory').create(type, properties),
    xml: async () => (await modeler!.saveXML({ format: true })).xml!,
  }
}
