/** A placeholder until there is content. */
export function PageSkeleton() {
  return (
    <div className="page-skeleton" aria-hidden>
      <span className="skeleton" />
      <div className="cards">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    </div>
  );
}
