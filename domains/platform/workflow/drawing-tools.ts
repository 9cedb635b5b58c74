/** An element in the diagram; the tools below offer only what the engine runs. */
type Shape = { type: string; id: string; businessObject: Record<string, unknown> }
type Entry = {
  group: string
  className: string
  title: string
  action: Record<string, (event: Event) => void> | ((event: Event) => void)
  separator?: boolean
}
type Entries = Record<string, Entry>
type Injected = Record<
  | 'palette'
  | 'create'
  | 'elementFactory'
  | 'handTool'
  | 'lassoTool'
  | 'globalConnect'
  | 'contextPad'
  | 'popupMenu'
  | 'autoPlace',
  any
> & { translate: (text: string) => string }

const TIMER = { type: 'bpmn:IntermediateCatchEvent', eventDefinitionType: 'bpmn:TimerEventDefinition' }

class Palette {
  static $inject = ['palette', 'create', 'elementFactory', 'handTool', 'lassoTool', 'globalConnect', 'translate']
  private readonly of: Pick<
    Injected,
    'create' | 'elementFactory' | 'handTool' | 'lassoTool' | 'globalConnect' | 'translate'
  >
  constructor(
    palette: Injected['palette'],
    create: Injected['create'],
    elementFactory: Injected['elementFactory'],
    handTool: Injected['handTool'],
    lassoTool: Injected['lassoTool'],
    globalConnect: Injected['globalConnect'],
    translate: Injected['translate'],
  ) {
    this.of = { create, elementFactory, handTool, lassoTool, globalConnect, translate }
    palette.registerProvider(this)
  }

  getPaletteEntries(): Entries {
    const { create, elementFactory, handTool, lassoTool, globalConnect, translate } = this.of
    const tool = (className: string, title: string, begin: (event: Event) => void): Entry => ({
      group: 'tools',
      className,
      title: translate(title),
      action: { click: begin },
    })
    const shape = (className: string, title: string, attributes: object): Entry => {
      const begin = (event: Event) => create.start(event, elementFactory.createShape(attributes))
      return { group: 'shapes', className, title: translate(title), action: { dragstart: begin, click: begin } }
    }
    return {
      hand: tool('bpmn-icon-hand-tool', 'Activate hand tool', (event) => handTool.activateHand(event)),
      lasso: tool('bpmn-icon-lasso-tool', 'Activate lasso tool', (event) => lassoTool.activateSelection(event)),
      connect: tool('bpmn-icon-connection-multi', 'Activate global connect tool', (event) =>
        globalConnect.start(event),
      ),
      line: { group: 'tools', separator: true, className: '', title: '', action: {} },
      start: shape('bpmn-icon-start-event-none', 'Create start event', { type: 'bpmn:StartEvent' }),
      task: shape('bpmn-icon-user-task', 'Create user task', { type: 'bpmn:UserTask' }),
      gateway: shape('bpmn-icon-gateway-xor', 'Create gateway', { type: 'bpmn:ExclusiveGateway' }),
      timer: shape('bpmn-icon-intermediate-event-catch-timer', 'Create timer', TIMER),
      end: shape('bpmn-icon-end-event-none', 'Create end event', { type: 'bpmn:EndEvent' }),
    }
  }
}

/** Elements the context pad offers to append. */
const APPENDED: [key: string, className: string, title: string, attributes: object][] = [
  ['append.user-task', 'bpmn-icon-user-task', 'Append user task', { type: 'bpmn:UserTask' }],
  ['append.gateway', 'bpmn-icon-gateway-none', 'Append gateway', { type: 'bpmn:ExclusiveGateway' }],
  ['append.timer', 'bpmn-icon-intermediate-event-catch-timer', 'Append timer', TIMER],
  ['append.end-event', 'bpmn-icon-end-event-none', 'Append end event', { type: 'bpmn:EndEvent' }],
]
const GOES_ON =
  /^bpmn:(StartEvent|UserTask|ExclusiveGateway|ParallelGateway|InclusiveGateway|IntermediateCatchEvent|BoundaryEvent)$/

class Pad {
  static $inject = ['contextPad', 'autoPlace', 'elementFactory', 'create', 'translate']
  private readonly of: Pick<Injected, 'autoPlace' | 'elementFactory' | 'create' | 'translate'>
  constructor(
    contextPad: Injected['contextPad'],
    autoPlace: Injected['autoPlace'],
    elementFactory: Injected['elementFactory'],
    create: Injected['create'],
    translate: Injected['translate'],
  ) {
    this.of = { autoPlace, elementFactory, create, translate }
    // Lower priority than bpmn-js's own provider, whose entries it removes.
    contextPad.registerProvider(500, this)
  }

  getContextPadEntries(element: Shape) {
    const { autoPlace, elementFactory, create, translate } = this.of
    const made = (attributes: object) => elementFactory.createShape(attributes)
    const own = GOES_ON.test(element.type)
      ? APPENDED.map(([key, className, title, attributes]) => [
          key,
          {
            group: 'model',
            className,
            title: translate(title),
            action: {
              click: () => autoPlace.append(element, made(attributes)),
              dragstart: (event: Event) => create.start(event, made(attributes), { source: element }),
            },
          },
        ])
      : []
    return (entries: Entries): Entries => {
      const kept = Object.entries(entries).filter(
        ([key]) => !key.startsWith('append.') || key === 'append.text-annotation',
      )
      return Object.fromEntries([...own, ...kept.filter(([key]) => key !== 'set-color')])
    }
  }
}

const REPLACED = new RegExp(
  '^replace-with-(user-task|(exclusive|parallel|inclusive)-gateway|none-(start|end)|timer-intermediate-catch|' +
    '(non-interrupting-)?timer-boundary|(sequence|default)-flow)$',
)

class Replace {
  static $inject = ['popupMenu']
  constructor(popupMenu: Injected['popupMenu']) {
    popupMenu.registerProvider('bpmn-replace', 500, this)
  }

  getPopupMenuEntries() {
    return (entries: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(entries).filter(([key]) => REPLACED.test(key)))
  }

  /** Offers no entries: loops and markers are set in the form beside the diagram. */
  getPopupMenuHeaderEntries() {
    return () => ({})
  }
}

export const bpmnEditorToolsModule = {
  __init__: ['paletteProvider', 'storePad', 'storeReplace'],
  paletteProvider: ['type', Palette],
  storePad: ['type', Pad],
  storeReplace: ['type', Replace],
}
