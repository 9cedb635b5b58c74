declare module 'bpmn-auto-layout' {
  /** The same file with a diagram. */
  export function layoutProcess(xml: string): Promise<string>
}
