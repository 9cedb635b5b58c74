import Modeler from 'bpmn-js/lib/Modeler'
import { useEffect, useRef, useState } from 'react'
import { drawable } from './drawable.ts'
import { flowable, store } from './bpmn-moddle.ts'
import { toolsModule } from './drawing-tools.ts'
import { translateModule } from './bpmn-words.ts'

/** What a drawn element says of itself; attributes of Flowable and ours under their prefixed names. */
export type Business = {
  $type: string
  id: string
  name?: string
  get: (name: string) => any
}
export type Drawn = { id: string; type: string; businessObject: Business; source?: Drawn; label?: Drawn }
type Modeling = {
  updateProperties: (element: Drawn, properties: Record<string, unknown>) => void
  updateModdleProperties: (element: Drawn, of: unknown, properties: Record<string, unknown>) => void
}
type Canvas = {
  getRootElement: () => Drawn
  zoom: (to: 'fit-viewport') => void
  scroll: (by: { dx: number; dy: number }) => void
}
/** Room for the palette, which lies over the drawing. */
const BESIDE = { dx: 70, dy: 30 }

export type Drawing = {
  element: Drawn | undefined
  /** Grows with every change, so that who shows an element shows it anew. */
  round: number
  set: (properties: Record<string, unknown>) => void
  setOf: (of: unknown, properties: Record<string, unknown>) => void
  create: (type: string, properties?: Record<string, unknown>) => any
  xml: () => Promise<string>
}

/** The modeler in a place of the page; what is chosen in it, and how that is changed. */
export function useDrawing(given: string | undefined, onFailed: (error: Error) => void) {
  const place = useRef<HTMLDivElement>(null)
  const modeler = useRef<Modeler>(undefined)
  const [element, setElement] = useState<Drawn>()
  const [round, setRound] = useState(0)
  const failed = useRef(onFailed)
  failed.current = onFailed
  useEffect(() => {
    if (given === undefined || !place.current) return
    const made = new Modeler({
      container: place.current,
      additionalModules: [translateModule, toolsModule],
      moddleExtensions: { flowable, store },
    })
    modeler.current = made
    const root = () => made.get<Canvas>('canvas').getRootElement()
    made.on('selection.changed', ({ newSelection }: { newSelection: Drawn[] }) => {
      const [one] = newSelection
      setElement(newSelection.length === 1 ? one : root())
    })
    made.on('commandStack.changed', () => setRound((before) => before + 1))
    drawable(given)
      .then((xml) => made.importXML(xml))
      .then(() => {
        made.get<Canvas>('canvas').zoom('fit-viewport')
        made.get<Canvas>('canvas').scroll(BESIDE)
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

function drawingOf(modeler: Modeler | undefined, element: Drawn | undefined, round: number): Drawing {
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
