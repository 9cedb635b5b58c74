export { VisitTimeline } from './visit-timeline.tsx'
