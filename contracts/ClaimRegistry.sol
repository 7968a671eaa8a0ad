// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {IssuerRegistry} from "./IssuerRegistry.sol";
import {RouterRegistries} from "./RouterRegistries.sol";
import {Signatures} from "./Signatures.sol";
import {TokenRegistry} from "./TokenRegistry.sol";
import {Allocation, Claim, ClaimAttestation, ClaimState, MAX_SLICES_PER_CLAIM} from "./Types.sol";

/// @notice The claims and who financed how much of each. Money never passes through here.
contract ClaimRegistry is EIP712 {
    /// @notice EIP-712 type hash of `ClaimAttestation`.
    bytes32 public constant CLAIM_ATTESTATION_TYPEHASH = keccak256(
        "ClaimAttestation(address issuer,address beneficiary,address token,uint256 faceValue,uint64 dueDate,uint8 claimType,bytes32 documentHash,uint64 validUntil)"
    );

    IssuerRegistry public immutable issuers;
    TokenRegistry public immutable tokens;
    address public immutable router;

    mapping(bytes32 claimId => Claim) private _claims;
    mapping(bytes32 claimId => Allocation[]) private _allocations;
    mapping(address issuer => mapping(bytes32 documentHash => bytes32 claimId)) private _claimOfDocument;

    /// @notice Whether the attestation with this digest was cancelled by its issuer.
    mapping(bytes32 claimId => bool) public isCancelled;

    event ClaimRegistered(
        bytes32 indexed claimId,
        address indexed issuer,
        address indexed beneficiary,
        address token,
        uint256 faceValue,
        uint64 dueDate,
        uint8 claimType,
        bytes32 documentHash
    );
    /// @notice No claim can be registered from the attestation with this digest any more.
    event AttestationCancelled(bytes32 indexed digest, address indexed issuer, bytes32 documentHash);
    /// @notice The one event of every transition, registration (from `NONE`) included.
    event ClaimStateChanged(bytes32 indexed claimId, ClaimState from, ClaimState to);
    /// @notice Face of a claim is taken by a slice. `financedFaceValue` includes it. Base units.
    event SliceReserved(bytes32 indexed claimId, uint8 sliceIndex, uint256 faceAmount, uint256 financedFaceValue);
    event AllocationRegistered(
        bytes32 indexed claimId,
        address indexed vault,
        bytes32 indexed executionId,
        uint8 sliceIndex,
        uint256 faceAmount,
        uint256 advanceAmount
    );

    error OnlyRouter();
    error AttestationExpired(uint256 validUntil, uint256 timestamp);
    error IssuerInactive(address issuer);
    error InvalidAttestationSignature(address issuer);
    /// @notice The attestation is registered, or `claimId` is a claim on its document that is not revoked.
    error ClaimAlreadyRegistered(bytes32 claimId);
    error CancelledAttestation(bytes32 claimId);
    /// @notice The face is zero, or above 2^128 - 1 base units.
    error InvalidFaceValue(uint256 faceValue);
    /// @notice The beneficiary is the zero address, this registry, the router or a registered vault.
    error InvalidBeneficiary();
    error TokenNotListed(address token);
    error DueDateNotInFuture(uint256 dueDate, uint256 timestamp);
    error NotIssuer(bytes32 claimId, address caller);
    error ClaimNotRevocable(bytes32 claimId, ClaimState state);
    error ClaimNotFinanceable(bytes32 claimId, ClaimState state);
    error ClaimNotSettleable(bytes32 claimId, ClaimState state);
    error NoSlicesRemaining(bytes32 claimId);
    error FaceExceedsRemaining(bytes32 claimId, uint256 faceAmount, uint256 remainingFace);
    error FaceExceedsUnpaid(bytes32 claimId, uint256 faceAmount, uint256 unpaidFace);
    error UnexpectedSlice(bytes32 claimId, uint256 sliceIndex, uint256 expected);

    modifier onlyRouter() {
        if (msg.sender != router) revert OnlyRouter();
        _;
    }

    constructor(IssuerRegistry issuers_, TokenRegistry tokens_, address router_) EIP712("ClaimRegistry", "1") {
        issuers = issuers_;
        tokens = tokens_;
        router = router_;
    }

    // ---------------------------------------------------------------- registration

    /// @notice Registers a claim attested by an active issuer. Anyone may submit it.
    function register(ClaimAttestation calldata attestation, bytes calldata signature)
        external
        returns (bytes32 claimId)
    {
        claimId = attestationDigest(attestation);
        _checkAttestation(claimId, attestation, signature);

        _claims[claimId] = Claim({
            issuer: attestation.issuer,
            beneficiary: attestation.beneficiary,
            token: attestation.token,
            faceValue: attestation.faceValue,
            financedFaceValue: 0,
            paidFaceValue: 0,
            dueDate: attestation.dueDate,
            claimType: attestation.claimType,
            sliceCount: 0,
            state: ClaimState.NONE
        });
        _claimOfDocument[attestation.issuer][attestation.documentHash] = claimId;
        emit ClaimRegistered(
            claimId,
            attestation.issuer,
            attestation.beneficiary,
            attestation.token,
            attestation.faceValue,
            attestation.dueDate,
            attestation.claimType,
            attestation.documentHash
        );
        _moveTo(claimId, ClaimState.ELIGIBLE);
    }

    /// @notice Cancels an attestation of the caller that is not registered. Takes all of it, so that wallets can show
    /// it.
    function cancelAttestation(ClaimAttestation calldata attestation) external returns (bytes32 claimId) {
        claimId = attestationDigest(attestation);
        if (attestation.issuer != msg.sender) revert NotIssuer(claimId, msg.sender);
        _checkUnused(claimId);

        isCancelled[claimId] = true;
        emit AttestationCancelled(claimId, msg.sender, attestation.documentHash);
    }

    /// @notice Stops the financing of a claim. Only its issuer can, until the first payment, and while the claim is not
    /// fully funded. A claim that nobody has financed is void; one that is partially funded stays payable, in full.
    function revoke(bytes32 claimId) external {
        Claim storage record = _claims[claimId];
        if (record.issuer != msg.sender) revert NotIssuer(claimId, msg.sender);
        if (!_isFinanceable(record.state) || record.paidFaceValue > 0) {
            revert ClaimNotRevocable(claimId, record.state);
        }

        _moveTo(claimId, record.sliceCount == 0 ? ClaimState.REVOKED : ClaimState.CLOSED);
    }

    // ---------------------------------------------------------------- bookkeeping of the router

    /// @notice Takes `faceAmount` (base units) off the remaining face and one slice off the remaining slices. Only the
    /// router may.
    function reserveSlice(bytes32 claimId, uint256 faceAmount) external onlyRouter returns (uint8 sliceIndex) {
        Claim storage record = _claims[claimId];
        if (!_isFinanceable(record.state)) revert ClaimNotFinanceable(claimId, record.state);
        if (record.sliceCount >= MAX_SLICES_PER_CLAIM) revert NoSlicesRemaining(claimId);
        uint256 remaining = record.faceValue - record.financedFaceValue;
        if (faceAmount == 0 || faceAmount > remaining) revert FaceExceedsRemaining(claimId, faceAmount, remaining);

        sliceIndex = record.sliceCount++;
        record.financedFaceValue += faceAmount;
        emit SliceReserved(claimId, sliceIndex, faceAmount, record.financedFaceValue);
        _moveTo(claimId, faceAmount == remaining ? ClaimState.FULLY_FUNDED : ClaimState.PARTIALLY_FUNDED);
    }

    /// @notice Records who financed the slice that was just reserved. Only the router may.
    function registerAllocation(bytes32 claimId, uint8 sliceIndex, Allocation calldata allocation, bytes32 executionId)
        external
        onlyRouter
    {
        uint256 expected = _allocations[claimId].length;
        if (sliceIndex != expected) revert UnexpectedSlice(claimId, sliceIndex, expected);

        _allocations[claimId].push(allocation);
        emit AllocationRegistered(
            claimId, allocation.vault, executionId, sliceIndex, allocation.faceAmount, allocation.advanceAmount
        );
    }

    /// @notice Records a payment of `faceAmount` base units, 1 to the unpaid face. A payment of all of it settles the
    /// claim. The router, which alone may call this, moves the money.
    function recordPayment(bytes32 claimId, uint256 faceAmount) external onlyRouter {
        Claim storage record = _claims[claimId];
        if (!_isPayable(record.state)) revert ClaimNotSettleable(claimId, record.state);
        uint256 unpaid = record.faceValue - record.paidFaceValue;
        if (faceAmount == 0 || faceAmount > unpaid) revert FaceExceedsUnpaid(claimId, faceAmount, unpaid);

        record.paidFaceValue += faceAmount;
        if (faceAmount == unpaid) _moveTo(claimId, ClaimState.SETTLED);
    }

    // ---------------------------------------------------------------- views

    /// @notice The claim; every field is zero for an unknown id.
    function claim(bytes32 claimId) external view returns (Claim memory) {
        return _claims[claimId];
    }

    /// @notice The slices of a claim in the order of their indexes.
    function allocations(bytes32 claimId) external view returns (Allocation[] memory) {
        return _allocations[claimId];
    }

    /// @notice Face of a claim that a vault has financed, in base units, paid or not.
    function faceFinancedBy(address vault, bytes32 claimId) external view returns (uint256 face) {
        Allocation[] storage parts = _allocations[claimId];
        for (uint256 i; i < parts.length; ++i) {
            if (parts[i].vault == vault) face += parts[i].faceAmount;
        }
    }

    /// @notice The claim on a document of an issuer that is not revoked; zero where there is none.
    function claimOfDocument(address issuer, bytes32 documentHash) public view returns (bytes32 claimId) {
        claimId = _claimOfDocument[issuer][documentHash];
        if (_claims[claimId].state == ClaimState.REVOKED) claimId = 0;
    }

    /// @notice The EIP-712 digest that the issuer signs. It is the id of the claim, so that the same attestation is
    /// never registered again, while another one of the same document can be once the claim is revoked.
    function attestationDigest(ClaimAttestation calldata attestation) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    CLAIM_ATTESTATION_TYPEHASH,
                    attestation.issuer,
                    attestation.beneficiary,
                    attestation.token,
                    attestation.faceValue,
                    attestation.dueDate,
                    attestation.claimType,
                    attestation.documentHash,
                    attestation.validUntil
                )
            )
        );
    }

    // ---------------------------------------------------------------- internals

    function _checkAttestation(bytes32 claimId, ClaimAttestation calldata attestation, bytes calldata signature)
        private
        view
    {
        if (attestation.validUntil < block.timestamp) {
            revert AttestationExpired(attestation.validUntil, block.timestamp);
        }
        bytes32 standing = claimOfDocument(attestation.issuer, attestation.documentHash);
        if (standing != 0) revert ClaimAlreadyRegistered(standing);
        _checkUnused(claimId);
        if (!issuers.isActive(attestation.issuer)) revert IssuerInactive(attestation.issuer);
        if (!_canBePaid(attestation.beneficiary)) revert InvalidBeneficiary();
        if (!tokens.isListed(attestation.token)) revert TokenNotListed(attestation.token);
        // 128 bits hold any real amount and leave room for sums over many claims.
        if (attestation.faceValue == 0 || attestation.faceValue > type(uint128).max) {
            revert InvalidFaceValue(attestation.faceValue);
        }
        if (attestation.dueDate <= block.timestamp) revert DueDateNotInFuture(attestation.dueDate, block.timestamp);
        if (!Signatures.isSignedBy(attestation.issuer, attestationDigest(attestation), signature)) {
            revert InvalidAttestationSignature(attestation.issuer);
        }
    }

    /// @dev Registry, router and vaults would keep what they are paid. A vault that is created later is not refused.
    function _canBePaid(address beneficiary) private view returns (bool) {
        return beneficiary != address(0) && beneficiary != address(this) && beneficiary != router
            && !RouterRegistries(router).vaults().isRegistered(beneficiary);
    }

    function _checkUnused(bytes32 claimId) private view {
        if (_claims[claimId].state != ClaimState.NONE) revert ClaimAlreadyRegistered(claimId);
        if (isCancelled[claimId]) revert CancelledAttestation(claimId);
    }

    function _moveTo(bytes32 claimId, ClaimState to) private {
        ClaimState from = _claims[claimId].state;
        if (from == to) return;
        _claims[claimId].state = to;
        emit ClaimStateChanged(claimId, from, to);
    }

    function _isPayable(ClaimState state) private pure returns (bool) {
        return _isFinanceable(state) || state == ClaimState.FULLY_FUNDED || state == ClaimState.CLOSED;
    }

    function _isFinanceable(ClaimState state) private pure returns (bool) {
        return state == ClaimState.ELIGIBLE || state == ClaimState.PARTIALLY_FUNDED;
    }
}
