/// A call as four named stages. Each can be replaced while the others keep their types.
///
///     Input ──encode──▶ HTTPRequest ──transport──▶ HTTPResponse ──map──▶ DTO ──convert──▶ model
///
/// ``init(requestEncoding:transport:rawMapping:dtoConversion:)`` makes a pipeline without a route. A client makes
/// pipelines from routes:
///
/// ```swift
/// let pipeline = client.pipeline(for: .users)
/// print(pipeline)                                     // one line with the names of all stages
/// let offline = pipeline.replacing(transport: StubTransport(.json("[]")))
/// let users = try await offline.process()
/// ```
///
/// The pipeline checks for cancellation before each stage. An error of a stage becomes a ``CallError`` with the stage,
/// the request as sent and the response. Unless the call's ``Deadline`` has cancelled the task, a `CancellationError`
/// is thrown unchanged, and in a cancelled task every other error becomes one. The result of the last stage is
/// returned, even if the task was cancelled during that stage. If the time of the call's ``Deadline`` is up and the
/// transport therefore returns a stored response, that response is still mapped, unless the caller cancels.
public struct Pipeline<Encoding: Node, Carrier: Node, Mapping: Node, Conversion: Node>: Node
where
    Encoding.Output == HTTPRequest, Carrier.Input == HTTPRequest, Carrier.Output == HTTPResponse,
    Mapping.Input == HTTPResponse, Conversion.Input == Mapping.Output
{
    /// Makes the request.
    public let requestEncoding: Encoding
    /// Carries the request to the server and the response back.
    public let transport: Carrier
    /// Makes the DTO from the response.
    public let rawMapping: Mapping
    /// Makes the model from the DTO.
    public let dtoConversion: Conversion
    /// Makes the context of a call that is run by hand. For the pipeline of a client, the context has the settings of
    /// the client and the route. A ``Deadline`` in its options has an effect only with a deadline middleware.
    var makeContext: @Sendable () -> CallContext = { CallContext() }

    /// Makes a pipeline of four stages.
    public init(requestEncoding: Encoding, transport: Carrier, rawMapping: Mapping, dtoConversion: Conversion) {
        self.requestEncoding = requestEncoding
        self.transport = transport
        self.rawMapping = rawMapping
        self.dtoConversion = dtoConversion
    }

    /// Runs the four stages.
    /// - Parameters:
    ///   - input: The input of the request encoding.
    ///   - context: The call.
    /// - Returns: The model.
    /// - Throws: ``CallError``, or `CancellationError` if the calling task was cancelled or a stage threw one.
    @inlinable
    public func process(_ input: Encoding.Input, in context: CallContext) async throws -> Conversion.Output {
        let context = context.beginRun()
        defer { context.endRun() }
        context.observeBegin()
        let request = try await run(requestEncoding, as: .requestEncoding, on: input, in: context)
        context.recordRequest(request)
        context.deliverReport(of: .request)
        let response = try await run(transport, as: .transport, on: request, in: context)
        context.recordReceived(response)
        context.deliverReport(of: .transport)
        let dto = try await run(rawMapping, as: .rawMapping, on: response, in: context)
        let model = try await run(dtoConversion, as: .dtoConversion, on: dto, in: context)
        context.deliverReport(of: .response)
        context.observeEnd()
        return model
    }

    @inlinable
    func run<Stage: Node>(
        _ node: Stage,
        as stage: CallStage,
        on input: Stage.Input,
        in context: CallContext
    ) async throws -> Stage.Output {
        do {
            try context.endIfCancelled()
            let output = try await node.process(input, in: context)
            context.observeEnd(of: stage, output)
            return output
        } catch {
            throw context.end(with: error, in: stage)
        }
    }
}

extension CallContext {
    /// Ends a run after a stage threw an error, and delivers the last report of the run.
    /// - Returns: The error of the call.
    @usableFromInline
    func end(with error: any Error, in stage: CallStage) -> any Error {
        if stage == .transport {
            adoptRequest(of: .failure(error))
            observeExchange(.failure(error))
        }
        let failure = callError(after: error, in: stage)
        observeEnd(of: stage, failure: failure)
        deliverReport(of: MappingReport.Side(stage), failure: failure)
        observeEnd(failure: failure)
        return failure
    }

    /// Returns the error of the call after a stage threw an error. In a cancelled task it is `CancellationError`: a
    /// lost connection or a half-read body is a consequence of the cancellation. If the ``Deadline`` of the call has
    /// cancelled the task, it is a ``CallError`` about the time limit. A ``CallError`` of this run is returned
    /// unchanged. A ``CallError`` of another call inside the stage becomes the underlying error.
    func callError(after error: any Error, in stage: CallStage) -> any Error {
        if Task.isCancelled, let deadline = passedDeadline {
            return CallError(timedOut(Deadline.name, within: deadline.limit, error), in: stage, of: self)
        }
        if error is CancellationError { return error }
        if Task.isCancelled { return CancellationError() }
        if let error = error as? CallError, error.run === run { return error }
        return CallError(located(error, in: stage), in: stage, of: self)
    }
}

extension Pipeline: MakesContext {}

extension Pipeline {
    /// Returns a copy of the pipeline with another request encoding.
    public func replacing<New: Node>(requestEncoding: New) -> Pipeline<New, Carrier, Mapping, Conversion>
    where New.Output == HTTPRequest {
        var other = Pipeline<New, Carrier, Mapping, Conversion>(
            requestEncoding: requestEncoding,
            transport: transport,
            rawMapping: rawMapping,
            dtoConversion: dtoConversion
        )
        other.makeContext = makeContext
        return other
    }

    /// Returns a copy of the pipeline with another transport.
    public func replacing<New: Node>(transport: New) -> Pipeline<Encoding, New, Mapping, Conversion>
    where New.Input == HTTPRequest, New.Output == HTTPResponse {
        var other = Pipeline<Encoding, New, Mapping, Conversion>(
            requestEncoding: requestEncoding,
            transport: transport,
            rawMapping: rawMapping,
            dtoConversion: dtoConversion
        )
        other.makeContext = makeContext
        return other
    }

    /// Returns a copy of the pipeline with another raw mapping to the same DTO.
    public func replacing<New: Node>(rawMapping: New) -> Pipeline<Encoding, Carrier, New, Conversion>
    where New.Input == HTTPResponse, New.Output == Mapping.Output {
        var other = Pipeline<Encoding, Carrier, New, Conversion>(
            requestEncoding: requestEncoding,
            transport: transport,
            rawMapping: rawMapping,
            dtoConversion: dtoConversion
        )
        other.makeContext = makeContext
        return other
    }

    /// Returns a copy of the pipeline with another conversion, to the same model or to another model.
    public func replacing<New: Node>(dtoConversion: New) -> Pipeline<Encoding, Carrier, Mapping, New>
    where New.Input == Mapping.Output {
        var other = Pipeline<Encoding, Carrier, Mapping, New>(
            requestEncoding: requestEncoding,
            transport: transport,
            rawMapping: rawMapping,
            dtoConversion: dtoConversion
        )
        other.makeContext = makeContext
        return other
    }

    /// Returns a copy of the pipeline with another DTO: both stages that use it are replaced together.
    public func replacing<NewMapping: Node, NewConversion: Node>(
        rawMapping: NewMapping,
        dtoConversion: NewConversion
    ) -> Pipeline<Encoding, Carrier, NewMapping, NewConversion>
    where NewMapping.Input == HTTPResponse, NewConversion.Input == NewMapping.Output {
        var other = Pipeline<Encoding, Carrier, NewMapping, NewConversion>(
            requestEncoding: requestEncoding,
            transport: transport,
            rawMapping: rawMapping,
            dtoConversion: dtoConversion
        )
        other.makeContext = makeContext
        return other
    }
}

extension Pipeline: NodeDescribing {
    var stageNames: [String] {
        [
            "request encoding: " + names(of: requestEncoding).joined(separator: " → "),
            "transport: " + names(of: transport).joined(separator: " → "),
            "raw mapping: " + names(of: rawMapping).joined(separator: " → "),
            "DTO conversion: " + names(of: dtoConversion).joined(separator: " → "),
        ]
    }

    /// The stages on one flat line.
    public var description: String { stageNames.joined(separator: " | ") }
}

extension CallContext {
    /// Notifies the observer that a stage has ended. If an exchange is still open at the end of the transport stage, it
    /// ends, too.
    @usableFromInline
    func observeEnd(of stage: CallStage, _ output: Any) {
        guard observer != nil else { return }
        if stage == .transport, let response = output as? HTTPResponse { observeExchange(.response(response)) }
        observeEnd(of: stage)
    }
}
