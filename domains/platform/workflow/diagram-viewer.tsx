import { useQuery } from '@tanstack/react-query'
import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer'
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-js.css'
import { Modal, Skeleton } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { words } from './work-words.ts'
import { toDrawableBpmn } from './drawable.ts'
import { bpmnTranslateModule } from './bpmn-words.ts'
import './diagram.css'

type Flow = { historyActivityId: string; historyActivityType: string; endTime: string }
type View = { xml: string; flow?: Flow[] }
type Canvas = {
  addMarker: (id: string, name: string) => void
  zoom: (to: 'fit-viewport') => void
}
type Elements = { get: (id: string) => unknown }

const markerOf = ({ historyActivityType: type, endTime }: Flow): string | undefined =>
  type === 'candidate' ? undefined : type === 'sequenceFlow' ? 'flow-way' : endTime ? 'flow-done' : 'flow-now'

/** Returns the CSS marker of each element; of several history entries the last counts. */
const markersOf = (flow: readonly Flow[]): [string, string][] =>
  [...new Map(flow.map((one) => [one.historyActivityId, markerOf(one)])).entries()].filter(
    (one): one is [string, string] => one[1] !== undefined,
  )

type Props = { processInstanceId?: string; processDefinitionId?: string; onClose: () => void }

/** Shows the diagram of a process, coloured by the progress of an instance if given. */
export default function DiagramDialog({ processInstanceId, processDefinitionId, onClose }: Props) {
  const t = useLocalize()
  const lang = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['flow-view', processInstanceId, processDefinitionId, lang],
    queryFn: ({ signal }) =>
      apiGet<View>(
        '/api/blade-flow/process/model-view',
        { processInstanceId, processDefinitionId },
        { quiet: true, signal },
      ),
    staleTime: 0,
  })
  return (
    <Modal open title={t(words.diagram)} footer={null} width={1000} mask={{ closable: true }} onCancel={onClose}>
      {error ? (
        <ErrorNote title={t(words.failed)} error={error} retry={() => void refetch()} />
      ) : data ? (
        <>
          {data.flow && <Legend />}
          <Drawing view={data} />
        </>
      ) : (
        <Skeleton active />
      )}
    </Modal>
  )
}

function Legend() {
  const t = useLocalize()
  return (
    <ul className="flow-legend">
      <li className="flow-done">{t(words.legendDone)}</li>
      <li className="flow-now">{t(words.legendNow)}</li>
      <li className="flow-way">{t(words.legendWay)}</li>
      <li>{t(words.legendAhead)}</li>
    </ul>
  )
}

function Drawing({ view }: { view: View }) {
  const t = useLocalize()
  const place = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState<Error>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!place.current) return
    const viewer = new NavigatedViewer({ container: place.current, additionalModules: [bpmnTranslateModule] })
    let isMounted = true
    const draw = async () => {
      const xml = await toDrawableBpmn(view.xml)
      if (!isMounted) return
      await viewer.importXML(xml)
      const canvas = viewer.get<Canvas>('canvas')
      const drawn = viewer.get<Elements>('elementRegistry')
      // Skips elements that are not drawn: marking them would throw.
      for (const [id, name] of markersOf(view.flow ?? [])) if (drawn.get(id)) canvas.addMarker(id, name)
      canvas.zoom('fit-viewport')
    }
    draw().catch((reason: unknown) => isMounted && setFailed(reason as Error))
    return () => {
      isMounted = false
      viewer.destroy()
    }
  }, [view, round])
  const again = () => {
    setFailed(undefined)
    setRound(round + 1)
  }
  if (failed) return <ErrorNote title={t(words.failed)} error={failed} retry={again} />
  return <div ref={place} className="flow-drawing" />
}
